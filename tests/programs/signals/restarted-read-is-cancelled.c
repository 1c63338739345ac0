// expect: verified
// A system call that starts again behind a handler, which made one itself, is still a cancellation point.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2], others[2];

static void handle(int signal)
{
	write(others[1], "x", 1);
}

static void *reads(void *unused)
{
	char byte;
	read(ends[0], &byte, 1);
	return unused;
}

int main(void)
{
	pipe(ends);
	pipe(others);
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	sigaction(SIGUSR1, &action, 0);
	pthread_t thread;
	pthread_create(&thread, 0, reads, 0);
	pthread_kill(thread, SIGUSR1);
	pthread_cancel(thread);
	pthread_join(thread, 0);
	return 0;
}
