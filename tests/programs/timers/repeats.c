// expect: verified
// broken: error kind=hang line=29
// A timer that repeats sends its signal again and again; one that does not, once.
#include <assert.h>
#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;

static void handle(int signal)
{
	if (ticks < 3)
		ticks++;
}

int main(void)
{
	sigset_t set, before;
	signal(SIGALRM, handle);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(SIG_BLOCK, &set, &before);
	struct itimerval timer = {.it_value.tv_sec = 1, .it_interval.tv_usec = 500000};
#ifdef BROKEN
	timer.it_interval.tv_usec = 0;
#endif
	assert(!setitimer(ITIMER_REAL, &timer, 0));
	while (ticks < 3)
		sigsuspend(&before);
	return 0;
}
