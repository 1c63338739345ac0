// expect: error kind=abort line=8
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *waits(void *unused)
{
	pause();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, waits, 0);
	pthread_kill(thread, SIGTERM);
	pthread_join(thread, 0);
	return 0;
}
