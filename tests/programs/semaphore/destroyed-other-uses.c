// expect: error kind=mutex-misuse line=11
// broken: error kind=mutex-misuse line=13
#include <semaphore.h>

int main(void)
{
	sem_t s;
	sem_init(&s, 0, 1);
	sem_destroy(&s);
#ifndef BROKEN
	sem_destroy(&s);
#else
	sem_trywait(&s);
#endif
	return 0;
}
