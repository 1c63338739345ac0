// expect: verified
// The return of main ends the process, even if a thread is stuck.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *lock(void *unused)
{
	pthread_mutex_lock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, lock, 0);
	pthread_create(&thread, 0, lock, 0);
	return 0;
}
