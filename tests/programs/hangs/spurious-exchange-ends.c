// expect: error kind=hang
// The loop ends only where a compare-exchange fails spuriously, on which no program can rely.
#include <pthread.h>
#include <stdatomic.h>
#ifndef GOES_ON
#define GOES_ON(expected) atomic_compare_exchange_weak(&value, &(expected), 0)
#endif
static atomic_int value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
#ifdef CHANGES
	atomic_store(&value, 1);
#endif
	return unused;
}

int main(void) {
	pthread_t thread;
	pthread_create(&thread, 0, other, 0);
	pthread_mutex_lock(&mutex);
	int expected;
	do
		expected = 0;
	while (GOES_ON(expected));
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
}
