// expect: error kind=data-race line=18
// Two threads write a variable after computing for long.
#include <pthread.h>

static int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *compute(void *none)
{
	int sum = 0;
	for (int i = 0; i < 50000; i++)
		sum += i & 3;
#ifdef LOCKS
	pthread_mutex_lock(&mutex);
	x = sum;
	pthread_mutex_unlock(&mutex);
#else
	x = sum;
#endif
	return none;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, compute, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
}
