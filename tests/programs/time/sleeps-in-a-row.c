// expect: verified
// clocks: verified
// Each of several sleeps takes its time, after many of which the clock must not stand still.
#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 8; i++) {
		time_t start = time(0);
		sleep(2);
		assert(time(0) - start >= 2);
	}
}
