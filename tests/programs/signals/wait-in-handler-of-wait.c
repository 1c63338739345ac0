// expect: inconclusive reason="barrier in a signal handler"
#include <pthread.h>
#include <signal.h>

static pthread_barrier_t alone, both;

static void handle(int signal)
{
	pthread_barrier_wait(&alone);
}

static void *waits(void *unused)
{
	pthread_barrier_wait(&both);
	return unused;
}

int main(void)
{
	pthread_barrier_init(&alone, 0, 1);
	pthread_barrier_init(&both, 0, 2);
	signal(SIGUSR1, handle);
	pthread_t thread;
	pthread_create(&thread, 0, waits, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_barrier_wait(&both);
	pthread_join(thread, 0);
	return 0;
}
