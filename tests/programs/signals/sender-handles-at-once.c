// expect: verified
// environment: 25 getpid() returns 100
// Where all other threads block a signal to the process, and none waits for it, it is handled before kill returns.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t blocked;
static volatile sig_atomic_t handled;

static void handle(int signal)
{
	handled = 1;
}

static void *blocks(void *unused)
{
	return unused;
}

static void *sends(void *unused)
{
	pthread_sigmask(SIG_UNBLOCK, &blocked, 0);
	kill(getpid(), SIGUSR1);
	assert(handled);
	return unused;
}

int main(void)
{
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	signal(SIGUSR1, handle);
	pthread_sigmask(SIG_BLOCK, &blocked, 0);
	pthread_t other, sender;
	pthread_create(&other, 0, blocks, 0);
	pthread_create(&sender, 0, sends, 0);
	pthread_join(other, 0);
	pthread_join(sender, 0);
	return 0;
}
