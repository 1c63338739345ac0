// expect: verified
// broken: error kind=hang
// Threads spin before they block. With BROKEN, one that has spun in vain waits for a signal that nobody sends.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int count;
static sem_t semaphore;

static void *waiter(void *unused)
{
	for (int i = 0; i < 100; i++) {
		int seen = atomic_load(&count);
		if (seen > 0 && atomic_compare_exchange_strong(&count, &seen, seen - 1))
			return unused;
	}
	if (atomic_fetch_sub(&count, 1) <= 0)
		sem_wait(&semaphore);
	return unused;
}

int main(void)
{
	pthread_t id[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&id[i], 0, waiter, 0);
	for (int i = 0; i < 2; i++) {
#ifdef BROKEN
		atomic_fetch_add(&count, 1);
#else
		if (atomic_fetch_add(&count, 1) < 0)
			sem_post(&semaphore);
#endif
	}
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], 0);
}
