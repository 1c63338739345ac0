// expect: error kind=assertion line=23
// environment: 22 getpid() returns 100
// A thread that waits for a signal with a limit may take it, too, where the sender lets it through.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static sigset_t wanted;
static volatile sig_atomic_t handled;

static void handle(int signal)
{
	handled = 1;
}

static void *sends(void *unused)
{
	pthread_sigmask(SIG_UNBLOCK, &wanted, 0);
	kill(getpid(), SIGUSR1);
	assert(handled);
	return unused;
}

static void *takes(void *unused)
{
	struct timespec second = {1, 0};
	sigtimedwait(&wanted, 0, &second);
	return unused;
}

int main(void)
{
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGUSR1);
	signal(SIGUSR1, handle);
	pthread_sigmask(SIG_BLOCK, &wanted, 0);
	pthread_t taker, sender;
	pthread_create(&taker, 0, takes, 0);
	pthread_create(&sender, 0, sends, 0);
	pthread_join(taker, 0);
	pthread_join(sender, 0);
	return 0;
}
