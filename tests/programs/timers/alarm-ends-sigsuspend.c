// expect: verified
// broken: error kind=hang line=27
// An alarm ends a wait for it; with -DBROKEN it may come before the thread begins to wait.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t expired;

static void handle(int signal)
{
	assert(signal == SIGALRM);
	expired = 1;
}

int main(void)
{
	sigset_t set, before;
	signal(SIGALRM, handle);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, &before);
	assert(alarm(1) == 0);
#ifdef BROKEN
	sigprocmask(SIG_SETMASK, &before, 0);
	if (!expired)
		pause();
#else
	while (!expired)
		sigsuspend(&before);
#endif
	assert(expired);
	return 0;
}
