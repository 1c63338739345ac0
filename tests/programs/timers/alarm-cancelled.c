// expect: verified
// broken: error kind=assertion line=27
// An alarm that is cancelled before it expires never comes. What is not over after a second may come.
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
	alarm(5);
#ifndef BROKEN
	alarm(0);
#endif
	int before = expired;
	sleep(1);
#ifdef BROKEN
	alarm(0);
#endif
	assert(expired == before);
	return 0;
}
