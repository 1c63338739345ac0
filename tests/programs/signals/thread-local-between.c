// expect: error kind=assertion line=11
// What only one thread reaches its handlers reach as well.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static _Thread_local int begun, ended;

static void handle(int signal)
{
	assert(begun == ended + (signal != SIGUSR1));
}

static void *works(void *unused)
{
	begun++;
	ended++;
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
