// expect: error kind=data-race
// A semaphore is initialised while another thread posts to it, after so many writes that no more of
// them are remembered.
#include <pthread.h>
#include <semaphore.h>

#ifndef WRITES
#define WRITES 64
#endif

static sem_t semaphore;
static int apart[2 * WRITES + 1];

static void *initialise(void *none)
{
	for (int i = 0; i < WRITES; i++)
		apart[2 * i] = 1;
	sem_init(&semaphore, 0, 1);
	return none;
}

static void *post(void *none)
{
	sem_post(&semaphore);
	return none;
}

int main(void)
{
	pthread_t threads[2];
	sem_init(&semaphore, 0, 0);
	pthread_create(&threads[0], 0, initialise, 0);
#ifdef JOINS
	pthread_join(threads[0], 0);
#endif
	pthread_create(&threads[1], 0, post, 0);
#ifndef JOINS
	pthread_join(threads[0], 0);
#endif
	pthread_join(threads[1], 0);
}
