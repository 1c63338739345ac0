// expect: verified
// broken: error kind=assertion line=21
// A timer that sends nothing only shows how much time is left.
#include <assert.h>
#include <signal.h>
#include <time.h>

int main(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	timer_t timer;
	assert(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	struct itimerspec now, once = {.it_value.tv_sec = 5};
	assert(!timer_gettime(timer, &now) && !now.it_value.tv_sec && !now.it_value.tv_nsec);
	assert(!timer_settime(timer, 0, &once, 0));
	assert(!timer_gettime(timer, &now) && !now.it_interval.tv_sec);
#ifdef BROKEN
	struct timespec six = {6, 0};
	nanosleep(&six, 0);
	timer_gettime(timer, &now);
	assert(now.it_value.tv_sec || now.it_value.tv_nsec);
#endif
	return 0;
}
