// expect: verified
// The same for ppoll, with a limit, and for epoll_pwait.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;

static void handle(int signal)
{
	stopped = 1;
}

static void *waits(void *unused)
{
	sigset_t none;
	sigemptyset(&none);
	struct timespec second = {1, 0};
	while (!stopped) {
		int found = ppoll(0, 0, &second, &none);
		assert(stopped ? found == -1 && errno == EINTR : found == 0);
		if (stopped)
			break;
		int set = epoll_create1(0);
		struct epoll_event event;
		found = epoll_pwait(set, &event, 1, -1, &none);
		assert(found == -1 && errno == EINTR && stopped);
		close(set);
	}
	return unused;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	sigaction(SIGUSR1, &action, 0);
	sigset_t blocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &blocked, 0);
	pthread_t thread;
	pthread_create(&thread, 0, waits, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	assert(stopped);
	return 0;
}
