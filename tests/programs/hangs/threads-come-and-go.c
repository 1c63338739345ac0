// expect: error kind=hang line=11 message="can never take never"
// A thread waits in vain, while threads with another number come and go forever.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *wait(void *arg)
{
	/* no thread posts */
	sem_wait(&never);
	return 0;
}

static void *pass(void *arg)
{
	return 0;
}

int main(void)
{
	pthread_t t, u;
	sem_init(&never, 0, 0);
	pthread_create(&t, 0, pass, 0);
	pthread_create(&u, 0, wait, 0);
	for (;;) {
		pthread_join(t, 0);
		pthread_create(&t, 0, pass, 0);
	}
}
