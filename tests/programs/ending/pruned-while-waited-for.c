// expect: verified
// flags: --abort prune
// Nothing hangs in an execution that does not count.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	abort();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
	return 0;
}
