// expect: verified
// broken: error kind=hang line=12 message="can never take units"
// Each unit taken is given back. With -DBROKEN: On one way out the unit is not given back.
#include <pthread.h>
#include <semaphore.h>

static sem_t units;

static void *work(void *arg)
{
	int failed = arg != 0;
	sem_wait(&units);
	if (failed) {
#ifndef BROKEN
		sem_post(&units);
#endif
		return 0;
	}
	sem_post(&units);
	return 0;
}

int main(void)
{
	pthread_t t[3];
	sem_init(&units, 0, 1);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
