// expect: verified
// broken: error kind=assertion line=17
// What a thread in sigsuspend lets through, and is ignored, is forgotten; not so what a thread in sigwait awaits.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
static sigset_t both;
static void handle(int signal) { (void)signal; }
static void *suspended(void *unused)
{
	sigset_t none, waiting;
	sigemptyset(&none);
#ifdef BROKEN
	sigaddset(&none, SIGUSR2);
	sigsuspend(&none);
	sigpending(&waiting);
	assert(!sigismember(&waiting, SIGUSR2));
#endif
	sigsuspend(&none);
	sigpending(&waiting);
	assert(!sigismember(&waiting, SIGUSR2));
	return unused;
}
static void *waits(void *unused)
{
	int signal;
	sigset_t second;
	sigemptyset(&second), sigaddset(&second, SIGUSR2);
	assert(sigwait(&second, &signal) == 0 && signal == SIGUSR2);
	return unused;
}
int main(void)
{
	pthread_t t, u;
	sigemptyset(&both);
	sigaddset(&both, SIGUSR1), sigaddset(&both, SIGUSR2);
	signal(SIGUSR1, handle), signal(SIGUSR2, SIG_IGN);
	sigprocmask(SIG_BLOCK, &both, 0);
	pthread_create(&t, 0, suspended, 0);
	pthread_create(&u, 0, waits, 0);
	pthread_kill(t, SIGUSR2), pthread_kill(t, SIGUSR1);
	pthread_kill(u, SIGUSR2);
	pthread_join(t, 0);
	pthread_join(u, 0);
}
