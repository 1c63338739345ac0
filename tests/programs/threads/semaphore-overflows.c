// expect: verified
// A semaphore that is as high as it can be is not posted any more.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int main(void)
{
	sem_t semaphore;
	int value;
	sem_init(&semaphore, 0, SEM_VALUE_MAX - 1);
	assert(sem_post(&semaphore) == 0);
	errno = 0;
	assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
	assert(sem_getvalue(&semaphore, &value) == 0 && value == SEM_VALUE_MAX);
}
