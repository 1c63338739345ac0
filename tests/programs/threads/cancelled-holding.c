// expect: verified
// broken: error kind=hang line=36
// With -DBROKEN: Cancelled while it holds the mutex: no thread unlocks it.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;

#ifndef BROKEN
static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

#endif
static void *work(void *arg)
{
	pthread_mutex_lock(&m);
#ifndef BROKEN
	pthread_cleanup_push(unlock, &m);
#endif
	sem_wait(&never);
#ifdef BROKEN
	pthread_mutex_unlock(&m);
#else
	pthread_cleanup_pop(1);
#endif
	return 0;
}

int main(void)
{
	pthread_t t;
	sem_init(&never, 0, 0);
	pthread_create(&t, 0, work, 0);
	pthread_cancel(t);
	pthread_join(t, 0);
	pthread_mutex_lock(&m);
#ifndef BROKEN
	pthread_mutex_unlock(&m);
#endif
	return 0;
}
