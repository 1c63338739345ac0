// expect: verified
// environment: 40 getpid() returns 100; 48 getpid() returns 100; 49 getpid() returns 100; 51 getpid() returns 100; 54 getpid() returns 100
// A handler is told who has sent a signal, and how, and what was blocked; so is who waits for one.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

static siginfo_t got;
static int was_blocked;

static void handle(int signal, siginfo_t *information, void *context)
{
	got = *information;
	assert(information->si_signo == signal);
	assert(context);
	was_blocked = sigismember(&((ucontext_t *)context)->uc_sigmask, SIGUSR2);
}

static void *gets(void *thread)
{
	pthread_kill(*(pthread_t *)thread, SIGTERM);
	return 0;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	sigaction(SIGUSR1, &action, 0);
	sigaction(SIGUSR2, &action, 0);
	raise(SIGUSR1);
	assert(got.si_code == SI_TKILL && !was_blocked);
	sigset_t blocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR2);
	sigaddset(&blocked, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &blocked, 0);
	kill(getpid(), SIGUSR1);
	assert(got.si_code == SI_USER && was_blocked);

	pthread_t self = pthread_self(), thread;
	pthread_create(&thread, 0, gets, &self);
	siginfo_t taken;
	assert(sigwaitinfo(&blocked, &taken) == SIGTERM && taken.si_code == SI_TKILL);
	pthread_join(thread, 0);
	kill(getpid(), SIGTERM);
	assert(sigwaitinfo(&blocked, &taken) == SIGTERM && taken.si_code == SI_USER && taken.si_pid == getpid());
	raise(SIGTERM);
	kill(getpid(), SIGTERM);
	assert(sigwaitinfo(&blocked, &taken) == SIGTERM && taken.si_code == SI_TKILL);
	assert(sigwaitinfo(&blocked, &taken) == SIGTERM && taken.si_code == SI_USER);
	assert(taken.si_pid == getpid() && taken.si_uid == 1000);
	return 0;
}
