// expect: verified
// broken: error kind=assertion line=27
// A timer that repeats expires in a longer sleep; not in one that ended before.
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t ticks;

static void handle(int signal)
{
	ticks = 1;
}

int main(void)
{
	signal(SIGALRM, handle);
	struct itimerval timer = {{0, 400000}, {0, 300000}};
	setitimer(ITIMER_REAL, &timer, 0);
#ifdef BROKEN
	struct timespec sleep = {0, 200000000};
#else
	struct timespec sleep = {1, 0};
#endif
	nanosleep(&sleep, 0);
	assert(ticks);
	return 0;
}
