// expect: error kind=data-race
// flags: --memory-model c11
// An attempt to lock that fails tells a thread that another one has the lock, and orders nothing.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *first(void *unused)
{
	data = 1;
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, first, 0);
	if (pthread_mutex_trylock(&mutex))
		data = 2;
	else
		pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
}
