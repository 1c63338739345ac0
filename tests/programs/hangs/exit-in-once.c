// expect: verified
// A thread that ends inside of the initialisation has left it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void last(void)
{
	pthread_exit(0);
}

static void *work(void *unused)
{
	pthread_once(&once, last);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	pthread_join(thread, 0);
	for (;;) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}
