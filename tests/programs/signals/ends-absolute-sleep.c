// expect: error kind=assertion line=18
// A sleep until a point in time ends with the error itself, not -1.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static void handle(int signal)
{
}

static void *waits(void *unused)
{
	struct timespec late = {2000000000, 0};
	int error = clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &late, 0);
	assert(error == 0 || error == EINTR);
	assert(error == 0);
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
