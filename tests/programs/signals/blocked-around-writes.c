// expect: verified
// Blocked, the signal comes before or after both.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int first, second;
static volatile sig_atomic_t handled;

static void handle(int signal)
{
	assert(first == second);
	handled = signal;
}

static void *works(void *unused)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	first = 1;
	second = 1;
	pthread_sigmask(SIG_UNBLOCK, &set, 0);
	return unused;
}

int main(void)
{
	signal(SIGUSR1, handle);
	pthread_t thread;
	pthread_create(&thread, 0, works, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	return 0;
}
