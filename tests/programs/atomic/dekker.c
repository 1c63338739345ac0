// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *work(void *arg)
{
	long me = (long)arg, other = 1 - me;
	wants[me] = 1;
	while (wants[other]) {
		if (turn != me) {
			wants[me] = 0;
			while (turn != me)
				;
			wants[me] = 1;
		}
	}
	assert(++inside == 1);
	inside--;
	turn = other;
	wants[me] = 0;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, (void *)1);
	work(0);
	pthread_join(t, 0);
	return 0;
}
