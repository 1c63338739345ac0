// expect: verified
// environment: 41 getpid() returns 100
// To ignore a signal removes it where it waits, for a thread and for the process; also the default action may ignore it.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static int handled;

static void handle(int signal)
{
	handled++;
}

static int waits(int signal)
{
	sigset_t pending;
	sigpending(&pending);
	return sigismember(&pending, signal);
}

static void open_all(void)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, 0);
}

int main(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, 0);
	raise(SIGUSR1);
	assert(waits(SIGUSR1));
	signal(SIGUSR1, SIG_IGN);
	assert(!waits(SIGUSR1));
	signal(SIGUSR1, handle);

	signal(SIGCHLD, handle);
	kill(getpid(), SIGCHLD);
	assert(waits(SIGCHLD));
	signal(SIGCHLD, SIG_DFL);
	assert(!waits(SIGCHLD));
	signal(SIGCHLD, handle);

	open_all();
	assert(handled == 0);
	raise(SIGCHLD);
	assert(handled == 1);
	return 0;
}
