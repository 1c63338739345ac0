// expect: error kind=assertion line=13
// environment: 27 getpid() returns 100
// A signal to the process may be handled by any thread that lets it through.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_t first;

static void handle(int signal)
{
	assert(pthread_equal(pthread_self(), first));
}

static void *works(void *unused)
{
	return unused;
}

int main(void)
{
	first = pthread_self();
	signal(SIGUSR1, handle);
	pthread_t thread;
	pthread_create(&thread, 0, works, 0);
	kill(getpid(), SIGUSR1);
	pthread_join(thread, 0);
	return 0;
}
