// expect: verified
// A loop that sleeps for what is left ends, since one signal is sent.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

static volatile sig_atomic_t handled;

static void handle(int signal)
{
	handled++;
}

static void *sleeps(void *unused)
{
	struct timespec rest = {5, 0};
	int times = 0;
	while (nanosleep(&rest, &rest) == -1 && errno == EINTR)
		times++;
	assert(times <= 1 && times <= handled);
	return unused;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle};
	sigaction(SIGUSR1, &action, 0);
	pthread_t thread;
	pthread_create(&thread, 0, sleeps, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	return 0;
}
