// expect: verified
// A loop over a set of descriptors: requests come through a pipe, the end through an event counter.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int requests[2], stop, set, served;

static void watch(int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
	assert(epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0);
}

static void *serve(void *unused)
{
	for (;;) {
		struct epoll_event event;
		char request;
		assert(epoll_wait(set, &event, 1, -1) == 1);
		if (event.data.fd == stop)
			return unused;
		assert(read(requests[0], &request, 1) == 1);
		served += request;
	}
}

int main(void)
{
	pipe(requests);
	stop = eventfd(0, 0);
	set = epoll_create1(0);
	watch(requests[0]);
	watch(stop);
	pthread_t worker;
	pthread_create(&worker, 0, serve, 0);
	write(requests[1], "\1", 1);
	uint64_t one = 1;
	write(stop, &one, sizeof one);
	pthread_join(worker, 0);
	assert(served == 0 || served == 1);
	close(set);
	return 0;
}
