// expect: verified
// broken: error kind=mutex-misuse line=15
// Whoever takes what was posted may destroy the semaphore at once, but not what is posted twice.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t *s;

static void *post(void *arg)
{
	sem_t *mine = s;
	sem_post(mine);
#ifdef BROKEN
	sem_post(mine);
#endif
	return 0;
}

static sem_t memory;

int main(void)
{
	pthread_t t;
	s = &memory;
	sem_init(s, 0, 0);
	pthread_create(&t, 0, post, 0);
	sem_wait(s);
	sem_destroy(s);
	pthread_join(t, 0);
	return 0;
}
