// expect: verified
// A thread that waits at a condition may get the mutex back from a thread that ended with it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signals_and_ends(void *unused)
{
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&changed);
	return unused;
}

int main(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &attributes);
	pthread_t thread;
	pthread_create(&thread, 0, signals_and_ends, 0);
	int error = pthread_mutex_lock(&mutex);
	while (!error && !ready)
		error = pthread_cond_wait(&changed, &mutex);
	assert(error == EOWNERDEAD && ready);
	pthread_mutex_consistent(&mutex);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
	return 0;
}
