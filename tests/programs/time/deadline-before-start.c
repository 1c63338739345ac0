// expect: error kind=assertion line=14
// The deadline was computed before the start: less than two seconds may pass after that.
#include <assert.h>
#include <time.h>

int main(void)
{
	struct timespec until, start, end;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += 2;
	clock_gettime(CLOCK_MONOTONIC, &start);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0);
	clock_gettime(CLOCK_MONOTONIC, &end);
	assert(end.tv_sec - start.tv_sec >= 2);
}
