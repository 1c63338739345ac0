// expect: verified
// broken: error kind=assertion line=25
// A sleep does not end before an alarm that was set before it, for no longer.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t expired;

static void handle(int signal)
{
	expired = 1;
}

int main(void)
{
	signal(SIGALRM, handle);
#ifdef BROKEN
	alarm(4);
	sleep(3);
#else
	alarm(2);
	sleep(3);
#endif
	assert(expired);
	return 0;
}
