// expect: verified
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int phase[2];

static void *work(void *arg)
{
	long me = (long)arg;
	phase[me] = 1;
	pthread_barrier_wait(&b);
	assert(phase[1 - me] == 1);
	return 0;
}

int main(void)
{
	pthread_t t;
	assert(pthread_barrier_init(&b, 0, 2) == 0);
	pthread_create(&t, 0, work, (void *)1);
	work(0);
	pthread_join(t, 0);
	pthread_barrier_destroy(&b);
	return 0;
}
