// expect: verified
#include <assert.h>
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
	assert(sem_init(&filled, 0, 0) == 0);
	pthread_create(&t, 0, produce, 0);
	sem_wait(&filled);
	assert(value == 7);
	pthread_join(t, 0);
	sem_destroy(&filled);
	return 0;
}
