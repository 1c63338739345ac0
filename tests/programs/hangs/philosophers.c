// expect: verified
// The last philosopher takes the forks in the other order.
#include <pthread.h>

enum { N = 3 };
static pthread_mutex_t fork[N];

static void *philosopher(void *arg)
{
	long i = (long)arg;
	int left = i, right = (i + 1) % N;
	int first = left < right ? left : right, second = left < right ? right : left;
	pthread_mutex_lock(&fork[first]);
	pthread_mutex_lock(&fork[second]);
	pthread_mutex_unlock(&fork[second]);
	pthread_mutex_unlock(&fork[first]);
	return 0;
}

int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&fork[i], 0);
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], 0, philosopher, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	return 0;
}
