// expect: error kind=assertion line=22
// A handler ends a futex's wait that has a limit, whatever SA_RESTART says.
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word;

static void handle(int signal)
{
}

static void *waits(void *unused)
{
	struct timespec second = {1, 0};
	long ended = syscall(SYS_futex, &word, FUTEX_WAIT, 0, &second, 0, 0);
	assert(ended == -1 && errno == ETIMEDOUT);
	return unused;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	sigaction(SIGUSR1, &action, 0);
	pthread_t thread;
	pthread_create(&thread, 0, waits, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	return 0;
}
