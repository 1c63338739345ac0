// expect: verified
// broken: error kind=assertion line=20
// After a sleep of three seconds, at most seven of ten are left.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static void handle(int signal)
{
}

int main(void)
{
	signal(SIGALRM, handle);
	alarm(10);
	unsigned rest = sleep(3);
	unsigned left = alarm(0);
	assert(rest || left <= 7);
#ifdef BROKEN
	assert(rest || left <= 6);
#endif
	return 0;
}
