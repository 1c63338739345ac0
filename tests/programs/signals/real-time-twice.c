// expect: verified
// broken: error kind=assertion line=33
// A real-time signal that is sent twice to a thread waits twice; with -DBROKEN, another signal is one.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

#ifdef BROKEN
#define SIGNAL SIGUSR1
#else
#define SIGNAL SIGRTMIN
#endif

static void *send(void *receiver)
{
	pthread_kill(*(pthread_t *)receiver, SIGNAL);
	return 0;
}

int main(void)
{
	pthread_t threads[2], self = pthread_self();
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGNAL);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, send, &self);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	struct timespec none = {0, 0};
	assert(sigtimedwait(&set, 0, &none) == SIGNAL);
	assert(sigtimedwait(&set, 0, &none) == SIGNAL);
	assert(sigtimedwait(&set, 0, &none) == -1);
	return 0;
}
