// expect: verified
// broken: error kind=assertion line=18
// With the signal blocked around the copy, the handler sees none or all of it. With -DBROKEN: A
// signal handler may come while its thread has copied half of a structure.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

struct pair {
	long first, second;
};

static struct pair pair;

static void look(int signal)
{
	(void)signal;
	assert(pair.first == pair.second);
}

static void *work(void *none)
{
#ifndef BROKEN
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
	struct pair ones = {1, 1};
	pair = ones;
#ifndef BROKEN
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
#endif
	return none;
}

int main(void)
{
	struct sigaction action = {.sa_handler = look};
	sigaction(SIGUSR1, &action, NULL);
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
}
