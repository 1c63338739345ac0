/* Calls about descriptors that wait: for what another thread writes to a pipe or sends to a socket, or
 * takes from it; and those that end such waits. A thread does not wait in the kernel where that can
 * be seen beforehand: it says that it is blocked, and tries again when it is asked to. */
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* All order each other. Where the path has their parts in an order that the kernel does not have, they
 * are made at any time at first, and then as wholes. */
static void arrive_at_call(uintptr_t caller)
{
	arrive_with(CLASS_CALL, (void *)1, 0, 3, caller);
}

static bool is_ready(int descriptor, short events)
{
	struct pollfd of = {.fd = descriptor, .events = events};
	return REAL(poll)(&of, 1, 0) != 0;
}

/* Whether a call about a descriptor waits, as that says. */
static bool waits(int descriptor)
{
	int flags = fcntl(descriptor, F_GETFL);
	return flags >= 0 && !(flags & O_NONBLOCK);
}

/* A number that the program's descriptors do not reach, nor that of the connection. */
#define OWN_DESCRIPTORS 512

/* Returns a descriptor of its own for a call that may wait, as in the kernel: what it works on stays
 * open until it returns, though the program closes it. Without room for one, it is the program's. */
static int own_descriptor(int descriptor)
{
	int own = fcntl(descriptor, F_DUPFD_CLOEXEC, OWN_DESCRIPTORS);
	return own >= 0 ? own : descriptor;
}

/* Ends a call, and returns its result. */
static ssize_t released(int own, int descriptor, ssize_t result)
{
	int error = errno;
	if (own != descriptor)
		REAL(close)(own);
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

/* Arrives at a call about a descriptor, and makes it, on its own one, when that is ready. A call may
 * say that it does not wait. */
#define WHEN_READY(events, may_wait, call, caller)                                                 \
	({                                                                                         \
		uint64_t taken = signals_taken();                                                  \
		arrive_at_call(caller);                                                            \
		int own = own_descriptor(descriptor);                                              \
		bool signalled = (may_wait) && wait_for_descriptor(own, events, taken, caller);    \
		released(own, descriptor, signalled ? interrupted() : (call));                     \
	})

ssize_t read(int descriptor, void *to, size_t count)
{
	if (!steered())
		return REAL(read)(descriptor, to, count);
	return WHEN_READY(POLLIN, true, REAL(read)(own, to, count), CALLER);
}

ssize_t write(int descriptor, const void *from, size_t count)
{
	if (!steered())
		return REAL(write)(descriptor, from, count);
	return WHEN_READY(POLLOUT, true, REAL(write)(own, from, count), CALLER);
}

int eventfd_read(int descriptor, eventfd_t *to)
{
	if (!steered())
		return REAL(eventfd_read)(descriptor, to);
	return (int)WHEN_READY(POLLIN, true, REAL(eventfd_read)(own, to), CALLER);
}

int eventfd_write(int descriptor, eventfd_t value)
{
	if (!steered())
		return REAL(eventfd_write)(descriptor, value);
	return (int)WHEN_READY(POLLOUT, true, REAL(eventfd_write)(own, value), CALLER);
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
	return (int)WHEN_READY(POLLIN, true, REAL(accept4)(own, address, size, flags), CALLER);
}

int accept(int descriptor, struct sockaddr *address, socklen_t *size)
{
	if (!steered())
		return REAL(accept)(descriptor, address, size);
	return (int)WHEN_READY(POLLIN, true, REAL(accept)(own, address, size), CALLER);
}

/* Arrives at a call about a socket, and tries it without a wait until it does not fail because it
 * would have to wait: that another socket has room shows in no other way. */
#define UNTIL_DONE(may_wait, call, caller)                                                         \
	({                                                                                         \
		uint64_t taken = signals_taken();                                                  \
		arrive_at_call(caller);                                                            \
		int own = own_descriptor(descriptor);                                              \
		bool waiting = (may_wait) && waits(own), signalled = false;                        \
		ssize_t result;                                                                    \
		while ((result = (call)) < 0 && errno == EAGAIN && waiting && !signalled)          \
			signalled = blocked_since(taken, NULL, caller) == WAIT_INTERRUPTED;        \
		if (result < 0 && errno == EAGAIN && signalled)                                    \
			result = interrupted();                                                    \
		released(own, descriptor, result);                                                 \
	})

static bool is_of_datagrams(int socket)
{
	int type = 0;
	socklen_t size = sizeof type;
	return getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_DGRAM;
}

/* Sends. A datagram is sent as a whole or not at all; a stream that is ready may still have to wait
 * until there is room for all of it. `call` uses `with`, its flags. */
#define SENT(call, caller)                                                                         \
	({                                                                                         \
		bool may_wait = !(flags & MSG_DONTWAIT);                                           \
		bool whole = is_of_datagrams(descriptor);                                          \
		int with = whole ? flags | MSG_DONTWAIT : flags;                                   \
		whole ? UNTIL_DONE(may_wait, call, caller)                                         \
		      : WHEN_READY(POLLOUT, may_wait, call, caller);                               \
	})

#define RECEIVED(call, caller) WHEN_READY(POLLIN, !(flags & MSG_DONTWAIT), call, caller)

ssize_t send(int descriptor, const void *from, size_t count, int flags)
{
	if (!steered())
		return REAL(send)(descriptor, from, count, flags);
	return SENT(REAL(send)(own, from, count, with), CALLER);
}

ssize_t sendto(int descriptor, const void *from, size_t count, int flags, const struct sockaddr *to,
	       socklen_t size)
{
	if (!steered())
		return REAL(sendto)(descriptor, from, count, flags, to, size);
	return SENT(REAL(sendto)(own, from, count, with, to, size), CALLER);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags)
{
	if (!steered())
		return REAL(sendmsg)(descriptor, message, flags);
	return SENT(REAL(sendmsg)(own, message, with), CALLER);
}

ssize_t recv(int descriptor, void *to, size_t count, int flags)
{
	if (!steered())
		return REAL(recv)(descriptor, to, count, flags);
	return RECEIVED(REAL(recv)(own, to, count, flags), CALLER);
}

ssize_t recvfrom(int descriptor, void *to, size_t count, int flags, struct sockaddr *from,
		 socklen_t *size)
{
	if (!steered())
		return REAL(recvfrom)(descriptor, to, count, flags, from, size);
	return RECEIVED(REAL(recvfrom)(own, to, count, flags, from, size), CALLER);
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags)
{
	if (!steered())
		return REAL(recvmsg)(descriptor, message, flags);
	return RECEIVED(REAL(recvmsg)(own, message, flags), CALLER);
}

/* Tries to connect a socket. It does not wait for room among those that wait to be accepted at a path;
 * at a port, the kernel makes the connection before that. */
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
	return (int)UNTIL_DONE(true, connect_now(own, address, size), CALLER);
}
