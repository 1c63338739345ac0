// expect: verified
// A thread that lets an ignored signal through never gets it, also if it has a handler soon after.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int sent, handled;

static void handle(int signal)
{
	handled = 1;
}

static void *gets(void *unused)
{
	if (sent) {
		signal(SIGUSR1, handle);
		assert(!handled);
	}
	return unused;
}

int main(void)
{
	signal(SIGUSR1, SIG_IGN);
	pthread_t thread;
	pthread_create(&thread, 0, gets, 0);
	pthread_kill(thread, SIGUSR1);
	sent = 1;
	pthread_join(thread, 0);
	assert(!handled);
	return 0;
}
