// expect: verified
// Two that stand back for each other may do so forever, but need not: a livelock that the scheduler
// can leave is no hang.
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int shared;

static void enter(int me)
{
	IMPASSE_MUST_RETURN;
	wants[me] = 1;
	while (wants[!me]) {
		wants[me] = 0;
		wants[me] = 1;
	}
}

static void leave(int me)
{
	wants[me] = 0;
}

static void *work(void *arg)
{
	int me = arg != 0;
	enter(me);
	shared = me;
	leave(me);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, &wants);
	work(0);
	pthread_join(t, 0);
	return 0;
}
