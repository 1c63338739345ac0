// expect: error kind=assertion line=19
// A handler ends a poll that has a limit.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void handle(int signal)
{
}

static void *waits(void *unused)
{
	struct pollfd input = {ends[0], POLLIN, 0};
	assert(poll(&input, 1, 1000) == 0);
	return unused;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	sigaction(SIGUSR1, &action, 0);
	pipe(ends);
	pthread_t thread;
	pthread_create(&thread, 0, waits, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	return 0;
}
