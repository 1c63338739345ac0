// expect: verified
// Who waits until a time that has passed is not woken by a signal that comes later.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *signals(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	struct timespec epoch = {0, 0};
	pthread_t thread;
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, 0, signals, 0);
	assert(pthread_cond_timedwait(&condition, &mutex, &epoch) == ETIMEDOUT);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
}
