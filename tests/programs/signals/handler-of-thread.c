// expect: verified
// The handler runs in the thread that the signal was sent to, and blocks the signal meanwhile.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int handled;
static pthread_t handler, thread;

static void handle(int signal)
{
	sigset_t blocked;
	pthread_sigmask(SIG_BLOCK, 0, &blocked);
	assert(sigismember(&blocked, signal));
	handler = pthread_self();
	handled = 1;
}

static void *works(void *unused)
{
	while (!handled)
		sched_yield();
	return unused;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, 0);
	pthread_create(&thread, 0, works, 0);
	assert(pthread_kill(thread, SIGUSR1) == 0);
	pthread_join(thread, 0);
	assert(pthread_equal(handler, thread));
	return 0;
}
