// expect: verified
// broken: error kind=mutex-misuse line=14 message="initialises the mutex m again"
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	pthread_mutex_lock(&m);
#ifndef BROKEN
	pthread_mutex_unlock(&m);
	pthread_mutex_destroy(&m);
#endif
	pthread_mutex_init(&m, 0);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
