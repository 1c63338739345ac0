// expect: error kind=assertion line=27
// environment: 26 getpid() returns 100
// So may one that lets it through in ppoll, while that waits.
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static sigset_t wanted;
static atomic_int handled;
static atomic_ulong sender;

static void handle(int signal)
{
	handled = (unsigned long)pthread_self() == sender;
}

static void *sends(void *unused)
{
	sender = (unsigned long)pthread_self();
	pthread_sigmask(SIG_UNBLOCK, &wanted, 0);
	kill(getpid(), SIGUSR1);
	assert(handled);
	return unused;
}

static void *takes(void *unused)
{
	struct timespec second = {1, 0};
	sigset_t none;
	sigemptyset(&none);
	ppoll(0, 0, &second, &none);
	return unused;
}

int main(void)
{
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGUSR1);
	signal(SIGUSR1, handle);
	pthread_sigmask(SIG_BLOCK, &wanted, 0);
	pthread_t taker;
	pthread_create(&taker, 0, takes, 0);
	pthread_t sending;
	pthread_create(&sending, 0, sends, 0);
	pthread_join(taker, 0);
	pthread_join(sending, 0);
	return 0;
}
