// expect: verified
// broken: error kind=mutex-misuse line=15
#include <assert.h>
#include <semaphore.h>

int main(void)
{
	sem_t s;
	int value;
	sem_init(&s, 0, 3);
#ifdef BROKEN
	sem_destroy(&s);
#endif
	/* Reading the value is a use as well. */
	sem_getvalue(&s, &value);
	assert(value == 3);
#ifndef BROKEN
	sem_destroy(&s);
#endif
	return 0;
}
