// expect: error kind=hang
// The waiter ends only where a wait ends without a signal, on which it cannot rely.
#include <pthread.h>
#include <stdbool.h>
#ifndef GOES_ON
#define GOES_ON() signalled
#endif
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool signalled;

static void *wait(void *unused) {
	pthread_mutex_lock(&mutex);
	do {
		signalled = false;
		pthread_cond_wait(&condition, &mutex);
	} while (GOES_ON());
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *signal_always(void *unused) {
	for (;;) {
		pthread_mutex_lock(&mutex);
		signalled = true;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

int main(void) {
	pthread_t waiter, signaller;
	pthread_create(&waiter, 0, wait, 0);
	pthread_create(&signaller, 0, signal_always, 0);
	pthread_join(waiter, 0);
}
