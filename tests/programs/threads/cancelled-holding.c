// expect: error kind=hang line=24
// Cancelled while it holds the mutex: nobody unlocks it.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;

static void *work(void *arg)
{
	pthread_mutex_lock(&m);
	sem_wait(&never);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t t;
	sem_init(&never, 0, 0);
	pthread_create(&t, 0, work, 0);
	pthread_cancel(t);
	pthread_join(t, 0);
	pthread_mutex_lock(&m);
	return 0;
}
