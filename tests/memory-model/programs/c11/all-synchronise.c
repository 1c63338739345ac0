// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// most-states: 500
// Where each read of an atomic synchronises, who knows of which access keeps no states apart: there are as many as under
// sequential consistency.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

enum { THREADS = 3, ROUNDS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter, result;
static atomic_int done;
static atomic_bool ready;

static void *work(void *unused)
{
	for (int n = 0; n < ROUNDS; n++) {
		pthread_mutex_lock(&mutex);
		counter++;
		pthread_mutex_unlock(&mutex);
	}
	if (atomic_fetch_add(&done, 1) == THREADS - 1) {
		result = counter;
		atomic_store_explicit(&ready, 1, RELEASE);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int n = 0; n < THREADS; n++)
		pthread_create(&threads[n], 0, work, 0);
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	assert(result == THREADS * ROUNDS);
	for (int n = 0; n < THREADS; n++)
		pthread_join(threads[n], 0);
}
