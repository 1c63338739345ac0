// expect: verified
// A cancelled wait has its mutex again when the clean-up handler runs.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void unlock(void *mutex) { assert(pthread_mutex_unlock(mutex) == 0); }

static void *work(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	for (;;)
		pthread_cond_wait(&c, &m);
	pthread_cleanup_pop(1);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_cancel(t);
	pthread_join(t, 0);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
