// expect: verified
// broken: error kind=hang line=24
// A timer's signal is taken by a thread that waits for it, with the timer's value.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

int main(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 7};
	timer_t timer;
	assert(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	struct itimerspec once = {.it_value.tv_sec = 1};
	assert(!timer_settime(timer, 0, &once, 0));
	siginfo_t info;
#ifdef BROKEN
	timer_delete(timer);
#endif
	assert(sigwaitinfo(&set, &info) == SIGUSR1);
	assert(info.si_code == SI_TIMER && info.si_value.sival_int == 7);
	timer_delete(timer);
	return 0;
}
