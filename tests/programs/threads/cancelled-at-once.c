// expect: verified
// broken: error kind=assertion line=21
// A request is followed where cancellation becomes asynchronous, or enabled again.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t requested;
static int old = -1;

static void *work(void *type_last)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
#ifndef BROKEN
	if (!type_last)
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
#endif
	while (sem_wait(&requested))
		;
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
	assert(type_last);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	assert(0);
	return 0;
}

/* Only libraries' threads are so: they set the type and are never cancelled. */
static void *stay(void *unused)
{
	int before, after;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &after);
	assert(before == PTHREAD_CANCEL_DEFERRED && after == PTHREAD_CANCEL_ASYNCHRONOUS);
	return unused;
}

static void cancel(void *type_last)
{
	pthread_t thread;
	void *result;
	sem_init(&requested, 0, 0);
	pthread_create(&thread, 0, work, type_last);
	pthread_cancel(thread);
	sem_post(&requested);
	pthread_join(thread, &result);
	assert(result == PTHREAD_CANCELED);
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, stay, 0);
	pthread_join(thread, 0);
	cancel(0);
	cancel(&old);
	assert(old == PTHREAD_CANCEL_DEFERRED);
	return 0;
}
