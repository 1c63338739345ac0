// expect: error kind=hang line=23
// The flag is set without the mutex: the signal comes between the test and the wait.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *produce(void *arg)
{
	ready = 1;
	pthread_cond_signal(&c);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, produce, 0);
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
