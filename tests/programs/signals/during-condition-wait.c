// expect: verified
// A handler runs while its thread waits for a condition, and the wait goes on.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t handled;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void handle(int signal)
{
	sem_post(&handled);
}

static void *waits(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!ready)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	sem_init(&handled, 0, 0);
	signal(SIGUSR1, handle);
	pthread_t thread;
	pthread_create(&thread, 0, waits, 0);
	pthread_kill(thread, SIGUSR1);
	sem_wait(&handled);
	pthread_mutex_lock(&mutex);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
	return 0;
}
