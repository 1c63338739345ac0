// expect: error kind=assertion line=18
// A handler of another signal ends a wait for one.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static void handle(int signal)
{
}

static void *waits(void *unused)
{
	sigset_t other;
	sigemptyset(&other);
	sigaddset(&other, SIGUSR2);
	struct timespec second = {1, 0};
	assert(sigtimedwait(&other, 0, &second) == -1 && errno == EAGAIN);
	return unused;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	sigaction(SIGUSR1, &action, 0);
	pthread_t thread;
	pthread_create(&thread, 0, waits, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	return 0;
}
