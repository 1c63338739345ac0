// expect: verified
// broken: error kind=data-race
// A thread's function may have another type than pthread_create takes, as in old programs that GCC accepts.
#include <pthread.h>

static int calls;

static void worker(int *number)
{
	calls += *number;
}

int main(void)
{
	pthread_t thread;
	int number = 3;
	pthread_create(&thread, NULL, worker, &number);
#ifdef BROKEN
	calls++;
#endif
	pthread_join(thread, NULL);
	return calls - 3;
}
