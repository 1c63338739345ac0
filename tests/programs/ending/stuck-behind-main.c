// expect: error kind=hang line=9
// flags: --main-returns waits
// No thread unlocks the mutex, and the process runs until all threads have ended.
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
