// expect: error kind=hang line=10
#include <pthread.h>
#include <signal.h>

static sigset_t handled;

static void *waits(void *unused)
{
	int signal;
	sigwait(&handled, &signal);
	return unused;
}

int main(void)
{
	sigemptyset(&handled);
	sigaddset(&handled, SIGUSR1);
	sigaddset(&handled, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &handled, 0);
	sigdelset(&handled, SIGUSR2);
	pthread_t thread;
	pthread_create(&thread, 0, waits, 0);
	pthread_kill(thread, SIGUSR2);
	pthread_join(thread, 0);
	return 0;
}
