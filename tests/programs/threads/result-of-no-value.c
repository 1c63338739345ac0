// expect: verified
// broken: error kind=undefined-value line=27
// A start routine that is called by another type: what it returns is undefined where it returns
// nothing, and so are the upper bits where it returns an int.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void nothing(int *number)
{
	*number = 1;
}

static int narrow(int *number)
{
	return *number + 1;
}

int main(void)
{
	pthread_t thread;
	int number = 0;
	void *result;
	pthread_create(&thread, 0, (void *(*)(void *))nothing, &number);
	pthread_join(thread, &result);
#ifdef BROKEN
	assert(!result);
#endif
	pthread_create(&thread, 0, (void *(*)(void *))narrow, &number);
	pthread_join(thread, &result);
	assert((int)(intptr_t)result == 2);
}
