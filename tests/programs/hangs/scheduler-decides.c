// expect: verified
// What a race for a lock decides is for the scheduler to choose, in each round: the section
// can end.
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int last;

static void *work(void *arg)
{
	for (;;)
		last = 1;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	IMPASSE_MUST_RETURN;
	do {
		last = 0;
	} while (last != 1);
	return 0;
}
