// expect: error kind=hang
// flags: --memory-model tso
// sequential: verified
/* Peterson's lock around two mutexes that are taken in opposite order: without fences both get in. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *argument)
{
	int me = (int)(long)argument, other = 1 - me;
	atomic_store_explicit(&flag[me], 1, memory_order_release);
	atomic_store_explicit(&turn, other, memory_order_release);
	while (atomic_load_explicit(&flag[other], memory_order_acquire) &&
	       atomic_load_explicit(&turn, memory_order_acquire) == other)
		;
	pthread_mutex_lock(&mutexes[me]);
	pthread_mutex_lock(&mutexes[other]);
	pthread_mutex_unlock(&mutexes[other]);
	pthread_mutex_unlock(&mutexes[me]);
	atomic_store_explicit(&flag[me], 0, memory_order_release);
	return 0;
}

int main(void)
{
	pthread_t threads[2];
	for (long n = 0; n < 2; n++)
		pthread_create(&threads[n], 0, worker, (void *)n);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], 0);
}
