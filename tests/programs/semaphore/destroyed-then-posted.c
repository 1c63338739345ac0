// expect: verified
// broken: error kind=mutex-misuse line=14 message="semaphore s"
#include <semaphore.h>

static sem_t s;

int main(void)
{
	sem_init(&s, 0, 0);
	sem_destroy(&s);
#ifndef BROKEN
	sem_init(&s, 0, 0);
#endif
	sem_post(&s);
	sem_wait(&s);
	sem_destroy(&s);
	return 0;
}
