// expect: error kind=assertion line=19
// Which thread is the serial one is not known: it may or may not be this one.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *arg)
{
	pthread_barrier_wait(&b);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_barrier_init(&b, 0, 2);
	pthread_create(&t, 0, work, 0);
	assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
	pthread_join(t, 0);
	return 0;
}
