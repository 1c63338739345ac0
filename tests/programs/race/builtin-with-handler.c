// expect: error kind=data-race
// A semaphore is initialised while another thread posts to it, by a thread that a signal may
// interrupt.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t semaphore, other;
#ifdef APART
#define POSTED other
#else
#define POSTED semaphore
#endif

static void handle(int signal)
{
	(void)signal;
}

static void *initialise(void *none)
{
	sem_init(&semaphore, 0, 1);
	return none;
}

static void *post(void *none)
{
	sem_post(&POSTED);
	return none;
}

int main(void)
{
	pthread_t threads[2];
	signal(SIGUSR1, handle);
	sem_init(&semaphore, 0, 0);
	sem_init(&other, 0, 0);
	pthread_create(&threads[0], 0, initialise, 0);
	pthread_create(&threads[1], 0, post, 0);
	pthread_kill(threads[0], SIGUSR1);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
}
