// expect: error kind=assertion line=40
// broken: error kind=assertion line=42
// flags: --spurious-wakeups off
// A thread that is woken by a signal, and then cancelled, may react to either.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t started = PTHREAD_COND_INITIALIZER, c = PTHREAD_COND_INITIALIZER;
static int waits, flag;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *wait(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	waits = 1;
	pthread_cond_signal(&started);
	while (!flag)
		pthread_cond_wait(&c, &m);
	pthread_cleanup_pop(1);
	return 0;
}

int main(void)
{
	pthread_t t;
	void *result;
	pthread_mutex_lock(&m);
	pthread_create(&t, 0, wait, 0);
	while (!waits)
		pthread_cond_wait(&started, &m);
	flag = 1;
	pthread_cond_signal(&c);
	pthread_cancel(t);
	pthread_mutex_unlock(&m);
	pthread_join(t, &result);
#ifndef BROKEN
	assert(result == PTHREAD_CANCELED);
#else
	assert(result != PTHREAD_CANCELED);
#endif
	return 0;
}
