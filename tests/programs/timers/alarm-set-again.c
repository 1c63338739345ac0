// expect: verified
// broken: error kind=assertion line=23
// An alarm that is set again says how many seconds were left of the former one; none if it has expired.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t expired;

static void handle(int signal)
{
	expired++;
}

int main(void)
{
	signal(SIGALRM, handle);
	assert(alarm(4) == 0);
	unsigned left = alarm(0);
	assert(left <= 4);
	assert(left == 0 ? expired == 1 : expired == 0);
#ifdef BROKEN
	assert(left > 0);
#endif
	return 0;
}
