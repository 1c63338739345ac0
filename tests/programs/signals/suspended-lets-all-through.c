// expect: verified
// broken: error kind=assertion line=25
// sigsuspend returns when all that its mask lets through was handled.
#include <assert.h>
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t n;
static void handle(int signal)
{
	(void)signal;
	n++;
}
int main(void)
{
	sigset_t both, none;
	sigemptyset(&none);
	sigemptyset(&both);
	sigaddset(&both, SIGUSR1), sigaddset(&both, SIGUSR2);
	signal(SIGUSR1, handle), signal(SIGUSR2, handle);
	sigprocmask(SIG_BLOCK, &both, 0);
	raise(SIGUSR1), raise(SIGUSR2);
#ifdef BROKEN
	sigaddset(&none, SIGUSR2);
	sigsuspend(&none);
	assert(n == 2);
#endif
	sigsuspend(&none);
	assert(n == 2);
}
