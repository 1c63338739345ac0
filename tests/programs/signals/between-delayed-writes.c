// expect: error kind=assertion line=13
// flags: --memory-model tso
// A handler may come between two stores of its thread that are both delayed.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int first, second;
static volatile sig_atomic_t handled;

static void handle(int signal)
{
	assert(first == second);
	handled = signal;
}

static void *works(void *unused)
{
	first = 1;
	second = 1;
	return unused;
}

int main(void)
{
	signal(SIGUSR1, handle);
	pthread_t thread;
	pthread_create(&thread, 0, works, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	return 0;
}
