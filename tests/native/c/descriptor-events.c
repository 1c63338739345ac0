// models: lp64
// epoll in its three ways of telling, pairs of sockets, event counters: what is reported when.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int set;
static char buffer[9];

static void show(const char *when)
{
	struct epoll_event events[8];
	int n = epoll_wait(set, events, 8, 0);
	printf("%s:", when);
	for (int i = 0; i < n; i++)
		printf(" %u %x", events[i].data.u32, events[i].events);
	puts("");
}

static void failed(const char *what, long result, int expected)
{
	printf("%s: %ld %d\n", what, result, result < 0 && errno == expected);
}

static int watch(int operation, int fd, unsigned events, unsigned number)
{
	struct epoll_event event = {.events = events, .data.u32 = number};
	return epoll_ctl(set, operation, fd, &event);
}

static void pipes(void)
{
	int ends[2];
	pipe(ends);
	watch(EPOLL_CTL_ADD, ends[0], EPOLLIN, 0);
	failed("added twice", watch(EPOLL_CTL_ADD, ends[0], EPOLLIN, 0), EEXIST);
	show("empty");
	write(ends[1], "ab", 2);
	show("filled");
	show("still filled");
	read(ends[0], buffer, 1);
	watch(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET, 1);
	show("edge");
	show("no new edge");
	write(ends[1], "c", 1);
	show("new edge");
	read(ends[0], buffer, 1);
	show("a read is no edge");
	watch(EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLONESHOT, 2);
	show("once");
	show("not twice");
	watch(EPOLL_CTL_MOD, ends[0], EPOLLIN, 3);
	close(ends[1]);
	show("closed");
	read(ends[0], buffer, 9);
	show("empty and closed");
	close(ends[0]);
	show("gone");
}

static void sockets(void)
{
	int ends[2];
	socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends);
	watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLOUT | EPOLLRDHUP, 4);
	show("socket");
	send(ends[1], "xyz", 3, MSG_NOSIGNAL);
	show("incoming");
	printf("%ld", (long)recv(ends[0], buffer, 2, MSG_DONTWAIT));
	printf(" %ld\n", (long)read(ends[0], buffer, 9));
	failed("nothing left", read(ends[0], buffer, 9), EAGAIN);
	shutdown(ends[1], SHUT_WR);
	show("shut");
	printf("%ld\n", (long)read(ends[0], buffer, 9));
	write(ends[0], "q", 1);
	printf("%ld\n", (long)recv(ends[1], buffer, 9, 0));
	close(ends[1]);
	show("peer gone");
	failed("peer gone", write(ends[0], "q", 1), EPIPE);
	struct stat status;
	fstat(ends[0], &status);
	printf("%d\n", S_ISSOCK(status.st_mode));
	close(ends[0]);
}

static void counters(void)
{
	int counter = eventfd(0, EFD_NONBLOCK);
	struct pollfd polled = {counter, POLLIN | POLLOUT, 0};
	poll(&polled, 1, 0);
	printf("%x\n", (unsigned)polled.revents);
	eventfd_t value;
	eventfd_write(counter, 5);
	failed("too much", eventfd_write(counter, ~0UL - 1), EAGAIN);
	failed("too much forever", eventfd_write(counter, ~0UL), EINVAL);
	eventfd_read(counter, &value);
	printf("%lu\n", value);
	failed("zero", eventfd_read(counter, &value), EAGAIN);
	failed("too short", read(counter, buffer, 4), EINVAL);
	failed("no socket", send(counter, buffer, 1, 0), ENOTSOCK);
	failed("no set", epoll_wait(counter, &(struct epoll_event){0}, 1, 0), EINVAL);
	failed("not in the set", watch(EPOLL_CTL_DEL, counter, 0, 0), ENOENT);
	int tokens = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
	while (!eventfd_read(tokens, &value))
		printf("%lu\n", value);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	set = epoll_create1(0);
	pipes();
	sockets();
	counters();
	return 0;
}
