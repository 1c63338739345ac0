// expect: error kind=assertion line=22
// environment: 21 getpid() returns 100
// A signal to the process goes to a thread that waits for it as well as to one that lets it through.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static sigset_t wanted;
static atomic_int handled;

static void handle(int signal)
{
	handled = 1;
}

static void *sends(void *unused)
{
	pthread_sigmask(SIG_UNBLOCK, &wanted, 0);
	kill(getpid(), SIGUSR1);
	assert(handled);
	kill(getpid(), SIGUSR1);
	return unused;
}

int main(void)
{
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGUSR1);
	signal(SIGUSR1, handle);
	pthread_sigmask(SIG_BLOCK, &wanted, 0);
	pthread_t thread;
	pthread_create(&thread, 0, sends, 0);
	int signal;
	sigwait(&wanted, &signal);
	pthread_join(thread, 0);
	return 0;
}
