// expect: verified
// broken: error kind=assertion line=30
// A handler that counts interrupts the update of the same counter, unless its signal is blocked.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile int counter, expired;

static void handle(int signal)
{
	counter++;
	expired = 1;
}

int main(void)
{
	sigset_t set;
	signal(SIGALRM, handle);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	alarm(1);
#ifndef BROKEN
	sigprocmask(SIG_BLOCK, &set, 0);
#endif
	counter++;
#ifndef BROKEN
	sigprocmask(SIG_UNBLOCK, &set, 0);
#endif
	int seen = expired; assert(counter >= 1 + seen);
	return 0;
}
