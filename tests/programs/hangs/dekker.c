// expect: verified
// broken: error kind=hang line=16|18|19 message="can never"
// Dekker's algorithm. With -DBROKEN: Dekker's algorithm, where one who leaves does not give the
// turn away.
#include <impasse/section.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int shared;

static void enter(int me)
{
	IMPASSE_MUST_RETURN;
	wants[me] = 1;
	while (wants[!me]) {
		if (turn != me) {
			wants[me] = 0;
			while (turn != me) {
			}
			wants[me] = 1;
		}
	}
}

static void leave(int me)
{
#ifndef BROKEN
	turn = !me;
#endif
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
	pthread_create(&t, 0, work, &turn);
	work(0);
	pthread_join(t, 0);
	return 0;
}
