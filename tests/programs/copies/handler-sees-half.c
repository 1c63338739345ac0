// expect: error kind=assertion line=16
// A signal handler may come while its thread has copied half of a structure.
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
	struct pair ones = {1, 1};
	pair = ones;
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
