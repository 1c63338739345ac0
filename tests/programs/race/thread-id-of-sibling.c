// expect: error kind=data-race
// A thread's id is not stored before a thread that was started earlier.
#include <pthread.h>

static pthread_t first, second;

static void *read(void *none)
{
	return second ? none : &second;
}

static void *end(void *none)
{
	return none;
}

int main(void)
{
	pthread_create(&first, 0, read, 0);
	pthread_create(&second, 0, end, 0);
	pthread_join(first, 0);
	pthread_join(second, 0);
}
