// expect: verified
// broken: error kind=data-race line=13
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int n;

static void *work(void *arg)
{
	sem_wait(&s);
	n++;
	sem_post(&s);
	return 0;
}

int main(void)
{
	pthread_t a, b;
#ifdef BROKEN
	sem_init(&s, 0, 2);
#else
	sem_init(&s, 0, 1);
#endif
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
#ifndef BROKEN
	assert(n == 2);
#endif
	return 0;
}
