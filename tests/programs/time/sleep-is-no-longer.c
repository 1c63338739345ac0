// expect: error kind=assertion line=14
// clocks: error kind=assertion line=14
// A sleep of two seconds may take less than five.
#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	struct timespec start, end;
	clock_gettime(CLOCK_MONOTONIC, &start);
	sleep(2);
	clock_gettime(CLOCK_MONOTONIC, &end);
	assert(end.tv_sec - start.tv_sec >= 5);
}
