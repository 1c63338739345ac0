// expect: error kind=hang line=20
// With SA_RESTART the read goes on.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static int ends[2];
static atomic_int over;

static void handle(int signal)
{
}

static void *reads(void *unused)
{
	char byte;
	assert(read(ends[0], &byte, 1) == -1 && errno == EINTR);
	over = 1;
	return unused;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	sigaction(SIGUSR1, &action, 0);
	pipe(ends);
	pthread_t thread;
	pthread_create(&thread, 0, reads, 0);
	while (!over)
		pthread_kill(thread, SIGUSR1);
	pthread_join(thread, 0);
	return 0;
}
