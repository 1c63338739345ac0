// expect: error kind=data-race line=13|15
// Without a second barrier the next round overtakes.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int phase[2];

static void *work(void *arg)
{
	long me = (long)arg;
	for (int i = 1; i < 3; i++) {
		phase[me] = i;
		pthread_barrier_wait(&b);
		assert(phase[1 - me] == i);
	}
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_barrier_init(&b, 0, 2);
	pthread_create(&t, 0, work, (void *)1);
	work(0);
	pthread_join(t, 0);
	return 0;
}
