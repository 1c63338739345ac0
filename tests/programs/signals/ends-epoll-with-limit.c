// expect: error kind=assertion line=18
// A handler ends an epoll_wait that has a limit.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

static void handle(int signal)
{
}

static void *waits(void *unused)
{
	int set = epoll_create1(0);
	struct epoll_event event;
	assert(epoll_wait(set, &event, 1, 1000) == 0);
	close(set);
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
