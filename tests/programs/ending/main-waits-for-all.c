// expect: verified
// flags: --main-returns waits
// Threads that can end do.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *lock(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, lock, 0);
	pthread_detach(thread);
	return 5;
}
