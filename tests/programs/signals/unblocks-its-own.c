// expect: verified
// A thread handles what it has sent to itself, and blocked, as soon as it lets it through; nothing sends signals to others.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static _Thread_local int handled;

static void handle(int signal)
{
	handled += signal == SIGUSR1;
}

static void *work(void *unused)
{
	sigset_t set, pending;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	raise(SIGUSR1);
	assert(handled == 0);
	sigpending(&pending);
	assert(sigismember(&pending, SIGUSR1));
	pthread_sigmask(SIG_UNBLOCK, &set, 0);
	assert(handled == 1);
	return unused;
}

int main(void)
{
	pthread_t thread;
	signal(SIGUSR1, handle);
	pthread_create(&thread, 0, work, 0);
	work(0);
	pthread_join(thread, 0);
	return 0;
}
