// expect: verified
// A handler of another signal ends a wait for one that has no limit; it is sent until it has done so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int over;

static void handle(int signal)
{
}

static void *waits(void *unused)
{
	sigset_t other;
	sigemptyset(&other);
	sigaddset(&other, SIGUSR2);
	assert(sigwaitinfo(&other, 0) == -1 && errno == EINTR);
	over = 1;
	return unused;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	sigaction(SIGUSR1, &action, 0);
	pthread_t thread;
	pthread_create(&thread, 0, waits, 0);
	while (!over)
		pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	return 0;
}
