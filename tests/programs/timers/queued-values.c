// expect: verified
// broken: error kind=assertion line=29
// environment: 22 getpid() returns 100; 23 getpid() returns 100; 24 getpid() returns 100; 25 getpid() returns 100
// Real-time signals are queued, with their values, and arrive in the order of their numbers and of sending; others are one.
#include <assert.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
#ifdef BROKEN
	int first = SIGUSR1;
#else
	int first = SIGRTMIN;
#endif
	sigset_t set;
	siginfo_t info;
	sigemptyset(&set);
	sigaddset(&set, first);
	sigaddset(&set, SIGRTMIN + 1);
	sigprocmask(SIG_BLOCK, &set, 0);
	assert(!sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 3}));
	assert(!sigqueue(getpid(), first, (union sigval){.sival_int = 1}));
	assert(!sigqueue(getpid(), first, (union sigval){.sival_int = 2}));
	assert(!kill(getpid(), SIGRTMIN + 1));
	struct timespec none = {0, 0};
	for (int i = 1; i <= 3; i++) {
		assert(sigtimedwait(&set, &info, &none) > 0);
		assert(info.si_code == SI_QUEUE && info.si_value.sival_int == i);
	}
	assert(sigwaitinfo(&set, &info) == SIGRTMIN + 1 && info.si_code == SI_USER);
	assert(sigtimedwait(&set, &info, &none) == -1);
	return 0;
}
