// expect: error kind=data-race line=11|22
// The semaphore starts at 1: nothing waits for the producer.
#include <pthread.h>
#include <semaphore.h>

static sem_t filled;
static int value;

static void *produce(void *arg)
{
	value = 7;
	sem_post(&filled);
	return 0;
}

int main(void)
{
	pthread_t t;
	sem_init(&filled, 0, 1);
	pthread_create(&t, 0, produce, 0);
	sem_wait(&filled);
	int got = value;
	pthread_join(t, 0);
	return got == 8;
}
