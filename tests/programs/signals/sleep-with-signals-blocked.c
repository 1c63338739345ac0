// expect: verified
// Only a handler ends a sleep: not a signal that the thread blocks.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static void handle(int signal)
{
}

static void *sleeps(void *unused)
{
	struct timespec second = {1, 0};
	assert(nanosleep(&second, 0) == 0);
	return unused;
}

int main(void)
{
	sigset_t blocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &blocked, 0);
	signal(SIGUSR1, handle);
	pthread_t thread;
	pthread_create(&thread, 0, sleeps, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	return 0;
}
