// expect: verified
// broken: inconclusive reason="a real-time signal, sent again while it waits"
// A real-time signal that is sent once is like any other; with -DBROKEN it is sent twice, and the kernel would keep both.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *send(void *receiver)
{
	pthread_kill(*(pthread_t *)receiver, SIGRTMIN);
	return 0;
}

int main(void)
{
	pthread_t threads[2], self = pthread_self();
	sigset_t set;
	int taken;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	pthread_create(&threads[0], 0, send, &self);
#ifdef BROKEN
	pthread_create(&threads[1], 0, send, &self);
	pthread_join(threads[1], 0);
#endif
	pthread_join(threads[0], 0);
	sigwait(&set, &taken);
	assert(taken == SIGRTMIN);
	return 0;
}
