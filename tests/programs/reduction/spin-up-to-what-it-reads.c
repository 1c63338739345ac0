// expect: verified
// broken: error kind=hang
// A loop is left at a count that depends on what it reads: it is no spin loop.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int x;
static sem_t semaphore;

static void *count(void *unused)
{
	for (int i = 0; i < 9; i++) {
		int at = 100;
		if (atomic_load(&x))
			at = 4;
		if (i == at)
			sem_wait(&semaphore);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
	sem_init(&semaphore, 0, 0);
	pthread_create(&thread, 0, count, 0);
	atomic_store(&x, 1);
	atomic_store(&x, 0);
#ifndef BROKEN
	sem_post(&semaphore);
#endif
	pthread_join(thread, 0);
}
