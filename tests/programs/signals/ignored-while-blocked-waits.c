// expect: error kind=assertion line=23
// What is ignored waits nevertheless while it is blocked: a handler that is set meanwhile runs.
#include <assert.h>
#include <signal.h>

static int handled;

static void handle(int signal)
{
	handled++;
}

int main(void)
{
	sigset_t blocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	signal(SIGUSR1, SIG_IGN);
	sigprocmask(SIG_BLOCK, &blocked, 0);
	raise(SIGUSR1);
	signal(SIGUSR1, handle);
	sigprocmask(SIG_UNBLOCK, &blocked, 0);
	assert(handled == 0);
	return 0;
}
