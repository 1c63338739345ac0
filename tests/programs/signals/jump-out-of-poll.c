// expect: inconclusive reason="a signal handler that is left for good, and interrupted a wait"
// Others find the wait in a list, which would go on to name it.
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];
static sigjmp_buf out;
static volatile sig_atomic_t armed;

static void handle(int signal)
{
	if (armed)
		siglongjmp(out, 1);
}

static void *polls(void *unused)
{
	if (sigsetjmp(out, 1) == 0) {
		armed = 1;
		struct pollfd input = {ends[0], POLLIN, 0};
		poll(&input, 1, -1);
	}
	armed = 0;
	return unused;
}

int main(void)
{
	pipe(ends);
	signal(SIGUSR1, handle);
	pthread_t thread;
	pthread_create(&thread, 0, polls, 0);
	pthread_kill(thread, SIGUSR1);
	write(ends[1], "x", 1);
	pthread_join(thread, 0);
	return 0;
}
