// expect: verified
// environment: 26 getpid() returns 100
// What was written before a signal to the process does not race with its handler in a thread that starts later.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t wanted;
static int data;

static void handle(int signal)
{
	assert(data == 1);
}

static void *handles(void *unused)
{
	pthread_sigmask(SIG_UNBLOCK, &wanted, 0);
	return unused;
}

static void *sends(void *unused)
{
	data = 1;
	kill(getpid(), SIGUSR1);
	return unused;
}

int main(void)
{
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGUSR1);
	signal(SIGUSR1, handle);
	pthread_sigmask(SIG_BLOCK, &wanted, 0);
	pthread_t sender, handler;
	pthread_create(&sender, 0, sends, 0);
	pthread_create(&handler, 0, handles, 0);
	pthread_join(sender, 0);
	pthread_join(handler, 0);
	return 0;
}
