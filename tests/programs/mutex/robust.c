// expect: verified
// The owner of a robust mutex may end with it: the next gets EOWNERDEAD, and repairs the data.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int half_done;

static void *begins(void *unused)
{
	if (pthread_mutex_lock(&mutex) == EOWNERDEAD)
		assert(0);
	half_done = 1;
	return unused;
}

static void *repairs(void *unused)
{
	int error = pthread_mutex_lock(&mutex);
	assert(error == 0 || error == EOWNERDEAD);
	assert(half_done == (error == EOWNERDEAD));
	half_done = 0;
	if (error)
		assert(pthread_mutex_consistent(&mutex) == 0);
	else
		assert(pthread_mutex_consistent(&mutex) == EINVAL);
	assert(pthread_mutex_unlock(&mutex) == 0);
	return unused;
}

int main(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
	pthread_mutex_init(&mutex, &attributes);
	assert(pthread_mutex_unlock(&mutex) == EPERM);
	pthread_t threads[2];
	pthread_create(&threads[0], 0, begins, 0);
	pthread_create(&threads[1], 0, repairs, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	if (pthread_mutex_lock(&mutex) == EOWNERDEAD)
		pthread_mutex_consistent(&mutex);
	pthread_mutex_unlock(&mutex);
	return pthread_mutex_destroy(&mutex);
}
