// expect: error kind=assertion line=37
// Who unlocks the mutex without saying that it is consistent loses it for all.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *ends_with_it(void *unused)
{
	pthread_mutex_lock(&mutex);
	return unused;
}

static void *forgets(void *unused)
{
	int error = pthread_mutex_trylock(&mutex);
	if (error == 0 || error == EOWNERDEAD)
		pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &attributes);
	pthread_t threads[2];
	pthread_create(&threads[0], 0, ends_with_it, 0);
	pthread_create(&threads[1], 0, forgets, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	int error = pthread_mutex_lock(&mutex);
	if (error == 0 || error == EOWNERDEAD)
		return 0;
	assert(error != ENOTRECOVERABLE);
	return 1;
}
