// expect: verified
// broken: error kind=assertion line=30
// A timer that was deleted sends nothing any more, and its name is not valid.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>

static volatile sig_atomic_t ticks;

static void handle(int signal)
{
	ticks = 1;
}

int main(void)
{
	signal(SIGRTMIN, handle);
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
	timer_t timer;
	assert(!timer_create(CLOCK_REALTIME, &event, &timer));
	struct itimerspec every = {.it_value.tv_nsec = 1000000, .it_interval.tv_nsec = 1000000};
	assert(!timer_settime(timer, 0, &every, 0));
#ifndef BROKEN
	assert(!timer_delete(timer));
	assert(timer_settime(timer, 0, &every, 0) == -1 && errno == EINVAL);
#endif
	int before = ticks;
	for (volatile int i = 0; i < 2; i++);
	assert(ticks == before);
	return 0;
}
