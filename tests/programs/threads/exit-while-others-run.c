// expect: verified
// exit() from a thread other than main's ends the program.
#include <pthread.h>
#include <stdlib.h>
#include <semaphore.h>

static sem_t never;

static void *work(void *arg)
{
	exit(0);
}

int main(void)
{
	pthread_t t;
	sem_init(&never, 0, 0);
	pthread_create(&t, 0, work, 0);
	sem_wait(&never);
	return 1;
}
