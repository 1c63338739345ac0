/* Waiting until one of several descriptors is ready: poll and select.
 *
 * Who waits leaves a word of its own, which every change of a queue or counter sets: so a change
 * wakes all who wait, and each looks again. A wait with a time limit ends at once if nothing is
 * ready: that anything else happens first is another interleaving. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include "files.h"
#include "impasse_machine.h"
#include "kernel.h"
#include "sockets.h"
#include "thread_end.h"

struct waiter {
	struct waiter *next;
	volatile int changed;
};

static struct waiter *waiters;

/* Called in an atomic section. */
void __impasse_wake_polls(struct inode *inode, short events)
{
	__impasse_renew_interests(inode, events);
	for (struct waiter *waiter = waiters; waiter; waiter = waiter->next)
		waiter->changed = 1;
}

static void leave(struct waiter *waiter)
{
	struct waiter **link = &waiters;
	while (*link != waiter)
		link = &(*link)->next;
	*link = waiter->next;
}

/* What could be done with an inode at once. */
static short possible(const struct inode *inode)
{
	switch (inode->kind) {
	case PIPE: case SOCKET:
		return (inode->size ? POLLIN | POLLRDNORM : 0) | (inode->size < inode->room ? POLLOUT | POLLWRNORM : 0);
	case EVENTS:
		return (inode->has_data ? POLLIN | POLLRDNORM : 0) | (inode->count + 1 < ~0UL ? POLLOUT | POLLWRNORM : 0);
	case POLLER:
		return __impasse_finds_any(inode) ? POLLIN | POLLRDNORM : 0;
	default:
		return POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM;
	}
}

short __impasse_ready(const struct description *d, short events)
{
	struct inode *inode = d->inode;
	if (inode->kind == SOCKET && !d->out)
		return __impasse_ready_unconnected(inode, events);
	short incoming = POLLIN | POLLRDNORM | POLLRDHUP, now = possible(inode), broken = 0;
	if (inode->kind == PIPE && __impasse_may_read(d) && !inode->writers)
		broken = POLLHUP;
	if (inode->kind == PIPE && __impasse_may_write(d) && !inode->readers)
		broken = POLLERR;
	if (d->out) {
		int ended = !inode->writers;
		now = (now & incoming) | (possible(d->out) & ~incoming) | (ended ? incoming : 0);
		broken = ended && (!d->out->writers || !d->out->readers) ? POLLHUP : 0;
	}
	return (now & events) | broken;
}

struct polled {
	struct pollfd *fds;
	unsigned long n;
};

static long look(void *of)
{
	struct polled *polled = of;
	long found = 0;
	for (unsigned long i = 0; i < polled->n; i++) {
		struct pollfd *p = &polled->fds[i];
		struct description *d = __impasse_description(p->fd);
		p->revents = p->fd < 0 ? 0 : d ? __impasse_ready(d, p->events) : POLLNVAL;
		found += p->revents != 0;
	}
	return found;
}

static void enter(struct waiter *waiter)
{
	waiter->changed = 0;
	waiter->next = waiters;
	waiters = waiter;
}

/* Waits until `look` finds something, the time is over, or a signal comes; where signals are let through, they are
 * taken here, so that none comes before the wait begins. The machine knows the name. */
long __impasse_wait_for_descriptors(long (*look)(void *), void *of, long nanoseconds, unsigned long open)
{
	int is_limited = nanoseconds != IMPASSE_NO_LIMIT;
	if (is_limited && nanoseconds < 0)
		return -EINVAL;
	long until = is_limited && nanoseconds ? __impasse_time_after(nanoseconds) : 0;
	int interrupted = is_limited && nanoseconds && __impasse_interrupted(open);
	struct waiter waiter = {0, 0};
	for (;;) {
		__impasse_atomic_begin();
		long found = look(of);
		int taken = !found && open ? __impasse_wait_for_signal(open, IMPASSE_TIMED) : 0;
		int waits = !found && !is_limited && !taken;
		if (!found && interrupted)
			found = -EINTR;
		else if (!found && is_limited && nanoseconds && !taken)
			__impasse_sleep_until(until);
		if (waits)
			enter(&waiter);
		__impasse_atomic_end();
		if (taken && __impasse_deliver_open(taken, open))
			return -EINTR;
		if (taken)
			continue;
		if (!waits)
			return found;
		int ended = __impasse_block_while_equal(&waiter.changed, 0, __impasse_cancellable | IMPASSE_NOT_RESTARTED, open);
		__impasse_atomic_begin();
		leave(&waiter);
		__impasse_atomic_end();
		if (ended == ECANCELED || (ended && !open))
			return -EINTR;
	}
}

long __impasse_wait(long (*look)(void *), void *of, long nanoseconds, const unsigned long *mask)
{
	if (!mask)
		return __impasse_wait_for_descriptors(look, of, nanoseconds, 0);
	unsigned long before = __impasse_blocked_signals();
	__impasse_block_signals(~0UL);
	long result = __impasse_wait_for_descriptors(look, of, nanoseconds, ~*mask);
	__impasse_block_signals(before);
	return result;
}

long __impasse_poll(struct pollfd *fds, unsigned long n, long nanoseconds, const unsigned long *mask)
{
	struct polled polled = {fds, n};
	return __impasse_wait(look, &polled, nanoseconds, mask);
}

enum { BITS = 8 * sizeof(unsigned long) };

static int has(const unsigned long *set, int fd)
{
	return set && (set[fd / BITS] >> fd % BITS & 1);
}

static int put(unsigned long *set, int fd, int member)
{
	if (!set)
		return 0;
	set[fd / BITS] |= (unsigned long)member << fd % BITS;
	return member;
}

static void clear(unsigned long *set, int n)
{
	if (set)
		memset(set, 0, (size_t)(n + BITS - 1) / BITS * sizeof *set);
}

long __impasse_select(int n, unsigned long *readable, unsigned long *writable, unsigned long *exceptional, long nanoseconds,
                      const unsigned long *mask)
{
	struct pollfd fds[DESCRIPTORS];
	if (n < 0)
		return -EINVAL;
	int count = 0;
	for (int fd = 0; fd < n; fd++) {
		short events = (has(readable, fd) ? POLLIN : 0) | (has(writable, fd) ? POLLOUT : 0);
		if (!events && !has(exceptional, fd))
			continue;
		if (!__impasse_description(fd))
			return -EBADF;
		fds[count++] = (struct pollfd){fd, events, 0};
	}
	long error = __impasse_poll(fds, (unsigned long)count, nanoseconds, mask);
	if (error < 0)
		return error;
	clear(readable, n);
	clear(writable, n);
	clear(exceptional, n);
	long found = 0;
	for (int i = 0; i < count; i++) {
		short wanted = fds[i].events, now = fds[i].revents;
		found += put(readable, fds[i].fd, wanted & POLLIN && now & (POLLIN | POLLHUP | POLLERR));
		found += put(writable, fds[i].fd, wanted & POLLOUT && now & (POLLOUT | POLLERR));
	}
	return found;
}
