// expect: verified
// environment: 42 getpid() returns 100
// A signal to the process has one taker: a thread that lets it through, or one that waits for it now or later.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static sigset_t wanted;
static atomic_int taken;

static void handle(int signal)
{
	taken++;
}

static void *handles(void *unused)
{
	pthread_sigmask(SIG_UNBLOCK, &wanted, 0);
	return unused;
}

static void *takes(void *unused)
{
	struct timespec none = {0, 0};
	if (sigtimedwait(&wanted, 0, &none) == SIGUSR1)
		taken++;
	return unused;
}

int main(void)
{
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGUSR1);
	signal(SIGUSR1, handle);
	pthread_sigmask(SIG_BLOCK, &wanted, 0);
	pthread_t handler, taker;
	pthread_create(&handler, 0, handles, 0);
	pthread_create(&taker, 0, takes, 0);
	kill(getpid(), SIGUSR1);
	pthread_join(handler, 0);
	pthread_join(taker, 0);
	pthread_sigmask(SIG_UNBLOCK, &wanted, 0);
	assert(taken == 1);
	return 0;
}
