// expect: verified
// broken: error kind=assertion line=14
// Blocked, the signal comes before or after both. With -DBROKEN: A handler may come between any two
// accesses of its thread, though no other thread sees them.
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
#ifndef BROKEN
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, 0);
#endif
	first = 1;
	second = 1;
#ifndef BROKEN
	pthread_sigmask(SIG_UNBLOCK, &set, 0);
#endif
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
