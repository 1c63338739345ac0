// expect: verified
// A thread that ends inside of a function that must return has left it.
#include <impasse/section.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void last(void)
{
	IMPASSE_MUST_RETURN;
	pthread_exit(0);
}

static void *work(void *unused)
{
	last();
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
