// expect: verified
#include <assert.h>
#include <errno.h>
#include <time.h>

int main(void)
{
	struct timespec t;
	assert(clock_gettime(999, &t) == -1 && errno == EINVAL);
	assert(clock_getres(999, &t) == -1 && errno == EINVAL);
	assert(clock_gettime(CLOCK_BOOTTIME, &t) == 0);
	return 0;
}
