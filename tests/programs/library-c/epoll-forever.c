// expect: error kind=hang line=28 message="can never return from epoll_wait"
// The event is taken by a first round that was to be of another kind; the second waits forever.
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter;

static void *notify(void *unused)
{
	uint64_t one = 1;
	write(counter, &one, sizeof one);
	write(counter, &one, sizeof one);
	return unused;
}

int main(void)
{
	counter = eventfd(0, 0);
	int set = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN};
	epoll_ctl(set, EPOLL_CTL_ADD, counter, &event);
	pthread_t thread;
	pthread_create(&thread, 0, notify, 0);
	for (int round = 0; round < 2; round++) {
		epoll_wait(set, &event, 1, -1);
		uint64_t both;
		read(counter, &both, sizeof both);
	}
	pthread_join(thread, 0);
	return 0;
}
