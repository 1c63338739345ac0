// expect: error kind=assertion line=36
// environment: 34 getpid() returns 100
// Of the same signal twice, one is lost if no thread takes it in between.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t handled;
static int requests;

static void *waits(void *unused)
{
	for (;;) {
		int signal;
		assert(sigwait(&handled, &signal) == 0);
		if (signal == SIGTERM)
			return unused;
		assert(signal == SIGUSR1);
		requests++;
	}
}

int main(void)
{
	sigemptyset(&handled);
	sigaddset(&handled, SIGUSR1);
	sigaddset(&handled, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &handled, 0);
	pthread_t thread;
	pthread_create(&thread, 0, waits, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_kill(thread, SIGUSR1);
	kill(getpid(), SIGTERM);
	pthread_join(thread, 0);
	assert(requests == 2);
	return 0;
}
