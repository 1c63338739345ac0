// expect: error kind=assertion line=16
// A handler ends a sleep before its time, whatever SA_RESTART says.
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
	struct timespec second = {1, 0};
	assert(nanosleep(&second, 0) == 0);
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
