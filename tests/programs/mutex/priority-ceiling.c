// expect: verified
// Protocols and ceilings are kept, and change nothing.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	int value;
	assert(pthread_mutexattr_getprotocol(&attributes, &value) == 0 && value == PTHREAD_PRIO_NONE);
	pthread_mutex_t plain;
	pthread_mutex_init(&plain, &attributes);
	assert(pthread_mutex_getprioceiling(&plain, &value) == EINVAL);
	assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
	assert(pthread_mutexattr_getprotocol(&attributes, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
	assert(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT) == 0);
	assert(pthread_mutexattr_setprioceiling(&attributes, 200) == EINVAL);
	assert(pthread_mutexattr_setprioceiling(&attributes, 10) == 0);
	assert(pthread_mutexattr_getprioceiling(&attributes, &value) == 0 && value == 10);
	pthread_mutex_t mutex;
	pthread_mutex_init(&mutex, &attributes);
	assert(pthread_mutex_setprioceiling(&mutex, 20, &value) == 0 && value == 10);
	assert(pthread_mutex_getprioceiling(&mutex, &value) == 0 && value == 20);
	assert(pthread_mutex_lock(&mutex) == 0);
	assert(pthread_mutex_unlock(&mutex) == 0);
	return pthread_mutex_destroy(&mutex);
}
