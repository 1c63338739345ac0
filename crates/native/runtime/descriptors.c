/* Calls about descriptors that wait: for what another thread writes to a pipe or sends to a socket, or
 * takes from it; and those that end such waits. A thread never waits in the kernel: it says that it
 * is blocked, and tries again when it is asked to. */
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* All order each other. The path does not say when they are made. */
static void arrive_at_call(uintptr_t caller)
{
	arrive_with(CLASS_CALL, (void *)1, 0, 3, caller);
}

static bool is_ready(int descriptor, short events)
{
	struct pollfd of = {.fd = descriptor, .events = events};
	return REAL(poll)(&of, 1, 0) != 0;
}

static bool waits(int descriptor)
{
	int flags = fcntl(descriptor, F_GETFL);
	return flags >= 0 && !(flags & O_NONBLOCK);
}

/* Returns a descriptor of its own for a call that may wait: what it works on stays open until it
 * returns, though the program closes it. It is far from those that the program gets. */
static int held(int descriptor)
{
	return fcntl(descriptor, F_DUPFD_CLOEXEC, 512);
}

/* Ends the call that works on a descriptor of its own, and returns its result. */
static ssize_t released(int held, ssize_t result)
{
	int error = errno;
	REAL(close)(held);
	errno = error;
	return result;
}

/* Waits until a descriptor is ready. Returns whether a signal has interrupted that. */
static bool wait_for_descriptor(int descriptor, short events, uint64_t taken, uintptr_t caller)
{
	if (!waits(descriptor))
		return false;
	while (!is_ready(descriptor, events))
		if (blocked_since(taken, NULL, caller) == WAIT_INTERRUPTED)
			return true;
	return false;
}

static long interrupted(void)
{
	errno = EINTR;
	return -1;
}

/* Arrives at a call about a descriptor, and makes it, on one of its own, when that is ready. */
#define WHEN_READY(events, call, caller)                                                           \
	({                                                                                         \
		uint64_t taken = signals_taken();                                                  \
		arrive_at_call(caller);                                                            \
		int of = held(descriptor);                                                         \
		bool signalled = wait_for_descriptor(of, events, taken, caller);                   \
		released(of, signalled ? interrupted() : (call));                                  \
	})

ssize_t read(int descriptor, void *to, size_t count)
{
	if (!steered())
		return REAL(read)(descriptor, to, count);
	return WHEN_READY(POLLIN, REAL(read)(of, to, count), CALLER);
}

ssize_t write(int descriptor, const void *from, size_t count)
{
	if (!steered())
		return REAL(write)(descriptor, from, count);
	return WHEN_READY(POLLOUT, REAL(write)(of, from, count), CALLER);
}

int eventfd_read(int descriptor, eventfd_t *to)
{
	if (!steered())
		return REAL(eventfd_read)(descriptor, to);
	return (int)WHEN_READY(POLLIN, REAL(eventfd_read)(of, to), CALLER);
}

int eventfd_write(int descriptor, eventfd_t value)
{
	if (!steered())
		return REAL(eventfd_write)(descriptor, value);
	return (int)WHEN_READY(POLLOUT, REAL(eventfd_write)(of, value), CALLER);
}

/* When a wait ends that lasts so long; a negative number has no end. */
static const struct timespec *end_after(int milliseconds, struct timespec *end)
{
	if (milliseconds < 0)
		return NULL;
	struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
	return end_of(&time, end);
}

/* Arrives at a wait for several descriptors. */
#define WAIT_FOR(ready, milliseconds, caller)                                                      \
	({                                                                                         \
		struct timespec end;                                                               \
		const struct timespec *until = end_after(milliseconds, &end);                      \
		uint64_t taken = signals_taken();                                                  \
		arrive_at_call(caller);                                                            \
		enum wait how = WAIT_AGAIN;                                                        \
		int found;                                                                         \
		while ((found = (ready)) == 0 && how != WAIT_LATE && how != WAIT_INTERRUPTED)      \
			how = blocked_since(taken, until, caller);                                 \
		found == 0 && how == WAIT_INTERRUPTED ? (int)interrupted() : found;                \
	})

int poll(struct pollfd *of, nfds_t count, int milliseconds)
{
	if (!steered())
		return REAL(poll)(of, count, milliseconds);
	return WAIT_FOR(REAL(poll)(of, count, 0), milliseconds, CALLER);
}

int epoll_wait(int set, struct epoll_event *events, int most, int milliseconds)
{
	if (!steered())
		return REAL(epoll_wait)(set, events, most, milliseconds);
	return WAIT_FOR(REAL(epoll_wait)(set, events, most, 0), milliseconds, CALLER);
}

/* Closing a descriptor, or what it works on, does not wait, but what others wait for may never come
 * then. */
int close(int descriptor)
{
	if (steered())
		arrive_at_call(CALLER);
	return REAL(close)(descriptor);
}

int shutdown(int descriptor, int how)
{
	if (steered())
		arrive_at_call(CALLER);
	return REAL(shutdown)(descriptor, how);
}

/* A listening socket is ready when there is a connection. */
int accept4(int descriptor, struct sockaddr *address, socklen_t *size, int flags)
{
	if (!steered())
		return REAL(accept4)(descriptor, address, size, flags);
	return (int)WHEN_READY(POLLIN, REAL(accept4)(of, address, size, flags), CALLER);
}

int accept(int descriptor, struct sockaddr *address, socklen_t *size)
{
	if (!steered())
		return REAL(accept)(descriptor, address, size);
	return (int)WHEN_READY(POLLIN, REAL(accept)(of, address, size), CALLER);
}

/* Arrives at a call about a socket, and tries it without a wait until it does not fail because it
 * would have to wait: that another socket has room shows in no other way. */
#define TRY_UNTIL_DONE(has_to_wait, call, caller)                                                  \
	({                                                                                         \
		uint64_t taken = signals_taken();                                                  \
		arrive_at_call(caller);                                                            \
		int of = held(descriptor);                                                         \
		bool waiting = (has_to_wait), signalled = false;                                   \
		ssize_t result;                                                                    \
		while ((result = (call)) < 0 && errno == EAGAIN && waiting && !signalled)          \
			signalled = blocked_since(taken, NULL, caller) == WAIT_INTERRUPTED;        \
		released(of, result < 0 && signalled ? interrupted() : result);                    \
	})

/* The same, of a call with flags, which decide as well whether it waits. */
#define TRY_WITH(flags, call, caller)                                                              \
	TRY_UNTIL_DONE(waits(of) && !((flags) & MSG_DONTWAIT), call, caller)

ssize_t send(int descriptor, const void *from, size_t count, int flags)
{
	if (!steered())
		return REAL(send)(descriptor, from, count, flags);
	return TRY_WITH(flags, REAL(send)(of, from, count, flags | MSG_DONTWAIT), CALLER);
}

ssize_t sendto(int descriptor, const void *from, size_t count, int flags, const struct sockaddr *to,
	       socklen_t size)
{
	if (!steered())
		return REAL(sendto)(descriptor, from, count, flags, to, size);
	return TRY_WITH(flags, REAL(sendto)(of, from, count, flags | MSG_DONTWAIT, to, size),
			CALLER);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags)
{
	if (!steered())
		return REAL(sendmsg)(descriptor, message, flags);
	return TRY_WITH(flags, REAL(sendmsg)(of, message, flags | MSG_DONTWAIT), CALLER);
}

ssize_t recv(int descriptor, void *to, size_t count, int flags)
{
	if (!steered())
		return REAL(recv)(descriptor, to, count, flags);
	return TRY_WITH(flags, REAL(recv)(of, to, count, flags | MSG_DONTWAIT), CALLER);
}

ssize_t recvfrom(int descriptor, void *to, size_t count, int flags, struct sockaddr *from,
		 socklen_t *size)
{
	if (!steered())
		return REAL(recvfrom)(descriptor, to, count, flags, from, size);
	return TRY_WITH(flags, REAL(recvfrom)(of, to, count, flags | MSG_DONTWAIT, from, size),
			CALLER);
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags)
{
	if (!steered())
		return REAL(recvmsg)(descriptor, message, flags);
	return TRY_WITH(flags, REAL(recvmsg)(of, message, flags | MSG_DONTWAIT), CALLER);
}

/* Tries to connect a socket of which nothing waits in the kernel. */
static int connect_now(int descriptor, const struct sockaddr *address, socklen_t size)
{
	int flags = fcntl(descriptor, F_GETFL);
	fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
	int result = REAL(connect)(descriptor, address, size);
	if (result < 0 && errno == EINPROGRESS) {
		struct pollfd of = {.fd = descriptor, .events = POLLOUT};
		socklen_t length = sizeof errno;
		REAL(poll)(&of, 1, -1);
		getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &result, &length);
		errno = result;
		result = result ? -1 : 0;
	}
	int error = errno;
	fcntl(descriptor, F_SETFL, flags);
	errno = error;
	return result;
}

int connect(int descriptor, const struct sockaddr *address, socklen_t size)
{
	if (!steered() || !waits(descriptor))
		return REAL(connect)(descriptor, address, size);
	return (int)TRY_UNTIL_DONE(true, connect_now(of, address, size), CALLER);
}
