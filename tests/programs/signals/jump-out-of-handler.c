// expect: verified
// A handler that interrupts its thread may leave it by a jump, which restores the mask.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static _Thread_local sigjmp_buf again;
static _Thread_local volatile sig_atomic_t set;

static void handle(int signal)
{
	if (set)
		siglongjmp(again, 1);
}

static void *works(void *unused)
{
	if (!sigsetjmp(again, 1))
		set = 1;
	set = 0;
	sigset_t blocked;
	pthread_sigmask(SIG_BLOCK, 0, &blocked);
	assert(!sigismember(&blocked, SIGUSR1));
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
