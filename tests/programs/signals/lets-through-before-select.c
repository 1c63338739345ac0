// expect: error kind=hang line=25
// A signal that comes between the look at the flag and select is missed.
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
	pthread_sigmask(SIG_SETMASK, &none, 0);
	if (!stopped)
		select(0, 0, 0, 0, 0);
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
