// expect: verified
// broken: error kind=mutex-misuse line=10
// A semaphore may be destroyed once the only thread that waits has returned, and not before.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static void *wait(void *arg)
{
	sem_wait(&s);
	return 0;
}

int main(void)
{
	pthread_t t;
	sem_init(&s, 0, 0);
	pthread_create(&t, 0, wait, 0);
#ifndef BROKEN
	sem_post(&s);
	pthread_join(t, 0);
#endif
	sem_destroy(&s);
#ifdef BROKEN
	pthread_join(t, 0);
#endif
	return 0;
}
