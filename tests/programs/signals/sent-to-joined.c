// expect: error kind=thread-misuse line=17
#include <pthread.h>
#include <signal.h>

static void *works(void *unused)
{
	return unused;
}

int main(void)
{
	signal(SIGUSR1, SIG_IGN);
	pthread_t thread;
	pthread_create(&thread, 0, works, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	pthread_kill(thread, SIGUSR1);
	return 0;
}
