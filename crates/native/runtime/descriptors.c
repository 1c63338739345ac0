/* Calls about descriptors that wait: for what another thread writes to a pipe, or reads from it. A
 * thread never waits in the kernel: it says that it is blocked, and tries again when it is asked to. */
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
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

/* Arrives at a call about a descriptor, and waits until that is ready. Returns whether a signal has
 * interrupted it. */
static bool wait_for_descriptor(int descriptor, short events, uintptr_t caller)
{
	uint64_t taken = signals_taken();
	arrive_at_call(caller);
	int flags = fcntl(descriptor, F_GETFL);
	if (flags < 0 || (flags & O_NONBLOCK))
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

ssize_t read(int descriptor, void *to, size_t count)
{
	if (steered() && wait_for_descriptor(descriptor, POLLIN, CALLER))
		return interrupted();
	return REAL(read)(descriptor, to, count);
}

ssize_t write(int descriptor, const void *from, size_t count)
{
	if (steered() && wait_for_descriptor(descriptor, POLLOUT, CALLER))
		return interrupted();
	return REAL(write)(descriptor, from, count);
}

int eventfd_read(int descriptor, eventfd_t *to)
{
	if (steered() && wait_for_descriptor(descriptor, POLLIN, CALLER))
		return (int)interrupted();
	return REAL(eventfd_read)(descriptor, to);
}

int eventfd_write(int descriptor, eventfd_t value)
{
	if (steered() && wait_for_descriptor(descriptor, POLLOUT, CALLER))
		return (int)interrupted();
	return REAL(eventfd_write)(descriptor, value);
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
