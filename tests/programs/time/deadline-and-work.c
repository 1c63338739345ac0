// expect: verified
// clocks: verified
// Whether a time has come decides, and both ways are right.
#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	int tries = 0;
	time_t end = time(0) + 3;
	while (time(0) < end && tries < 4) {
		tries++;
		sleep(1);
	}
	assert(tries <= 4);
}
