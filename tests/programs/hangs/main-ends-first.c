// expect: verified
// broken: error kind=hang line=12 message="can never take never"
// A thread that waits in vain does not keep the program from ending when main returns. With
// -DBROKEN: Main ends by itself, and not the program: the other thread waits in vain.
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
#ifdef BROKEN
	pthread_exit(0);
#else
	return 0;
#endif
}
