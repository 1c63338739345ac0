// expect: error kind=data-race line=10|16
// One thread initialises a semaphore, and another one posts to it, which nothing orders.
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *initialise(void *none)
{
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
	pthread_create(&threads[0], 0, initialise, 0);
	pthread_create(&threads[1], 0, post, 0);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
}
