// expect: verified
// broken: error kind=assertion line=33
// So does ppoll, unless it finds a descriptor first.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t n;
static void handle(int signal)
{
	(void)signal;
	n++;
}
int main(void)
{
	sigset_t both, none;
	int ends[2];
	sigemptyset(&none);
	sigemptyset(&both);
	sigaddset(&both, SIGUSR1), sigaddset(&both, SIGUSR2);
	signal(SIGUSR1, handle), signal(SIGUSR2, handle);
	sigprocmask(SIG_BLOCK, &both, 0);
	raise(SIGUSR1), raise(SIGUSR2);
	assert(pipe(ends) == 0);
	struct pollfd of = {ends[0], POLLIN, 0};
#ifdef BROKEN
	write(ends[1], "a", 1);
#endif
	int found = ppoll(&of, 1, 0, &none);
#ifdef BROKEN
	assert(n == 2);
#endif
	assert(found == -1 && errno == EINTR && n == 2);
}
