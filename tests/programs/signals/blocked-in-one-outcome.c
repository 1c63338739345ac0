// expect: verified
// broken: error kind=assertion line=15
// A choice decides whether the signal is blocked, in the same step. Where it is not, no handler
// sees a value in between. With -DBROKEN: A handler may come between the two stores.
#include <assert.h>
#include <impasse.h>
#include <pthread.h>
#include <signal.h>

static int steps;
static volatile sig_atomic_t handled;

static void handle(int signal)
{
	assert(steps != 1);
	handled = signal;
}

static void *works(void *unused)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	impasse_atomic_begin();
	if (impasse_choose(2) == 0)
		pthread_sigmask(SIG_BLOCK, &set, 0);
	impasse_atomic_end();
#ifdef BROKEN
	steps = 1;
#endif
	steps = 2;
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
