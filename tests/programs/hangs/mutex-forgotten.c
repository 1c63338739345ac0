// expect: error kind=hang line=15|29|30|31 message="mutexes[0]"
// The mutex of a list is initialised again while a thread still waits for the old one, never given
// up.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t *_Atomic shared;

static void *work(void *arg)
{
	for (;;) {
		pthread_mutex_t *mutex = shared;
		/* main may forget this one */
		pthread_mutex_lock(mutex);
		pthread_mutex_unlock(mutex);
	}
}

int main(void)
{
	pthread_t t;
	pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
	shared = &mutexes[0];
	pthread_create(&t, 0, work, 0);
	pthread_mutex_lock(&mutexes[0]);
	shared = &mutexes[1];
	for (;;) {
		pthread_mutex_lock(&mutexes[1]);
		pthread_mutex_unlock(&mutexes[1]);
	}
}
