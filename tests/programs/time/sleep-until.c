// expect: verified
// A sleep until a time ends then, and at once if it has passed.
#include <assert.h>
#include <errno.h>
#include <time.h>

int main(void)
{
	struct timespec until, now;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += 2;
	assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0) == 0);
	clock_gettime(CLOCK_MONOTONIC, &now);
	assert(now.tv_sec >= until.tv_sec);
	assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0) == 0);
	until.tv_nsec = -1;
	assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0) == EINVAL);
	until.tv_nsec = 0;
	assert(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &until, 0) == EINVAL);
}
