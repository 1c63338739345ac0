// expect: verified
// broken: error kind=exit-code
// The process ends with its last thread, whatever timers are left.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static void at_end(void)
{
#ifdef BROKEN
	_exit(1);
#endif
}

int main(void)
{
	signal(SIGALRM, SIG_IGN);
	atexit(at_end);
	struct itimerval timer = {.it_value.tv_sec = 1, .it_interval.tv_sec = 1};
	setitimer(ITIMER_REAL, &timer, 0);
	pthread_exit(0);
}
