// expect: verified
// A thread that waits in vain does not keep the program from ending when main returns.
#include <semaphore.h>
#include <pthread.h>

static sem_t never;

static void *work(void *arg)
{
	sem_wait(&never);
	return 0;
}

int main(void)
{
	pthread_t t;
	sem_init(&never, 0, 0);
	pthread_create(&t, 0, work, 0);
	pthread_detach(t);
	return 0;
}
