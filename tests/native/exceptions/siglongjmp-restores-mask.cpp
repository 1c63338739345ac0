#include <cstdio>
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf b;
static int times;
static void handler(int) { times++; siglongjmp(b, 1); }
static int blocked() { sigset_t set; sigprocmask(SIG_SETMASK, nullptr, &set); return sigismember(&set, SIGUSR1); }
int main()
{
	signal(SIGUSR1, handler);
	for (volatile int i = 0; i < 3; i++) {
		if (sigsetjmp(b, 1) == 0)
			raise(SIGUSR1);
		printf("%d %d\n", times, blocked());
	}
	if (sigsetjmp(b, 0) == 0)
		raise(SIGUSR1);
	printf("%d %d\n", times, blocked());
}
