/* The system call futex: queues of waiters, told apart by address.
 *
 * A waiter is blocked on a word of its own, which who wakes it sets: a change of the futex
 * without a wake-up must leave it waiting, as on a real kernel. */
#include "futex.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <time.h>
#include "impasse_machine.h"
#include "kernel.h"
#include "thread_end.h"

struct waiter {
	struct waiter *next;
	volatile int *address;
	volatile int woken;
};

/* In the order of arrival. */
static struct waiter *waiters;

static void append(struct waiter *w)
{
	struct waiter **end = &waiters;
	while (*end)
		end = &(*end)->next;
	*end = w;
}

static void remove_waiter(struct waiter *w)
{
	for (struct waiter **p = &waiters; *p; p = &(*p)->next) {
		if (*p == w) {
			*p = w->next;
			return;
		}
	}
}

/* A wait without a limit, for so many nanoseconds, or until then. */
enum limit { NONE, LASTS, ENDS };

/* The machine knows the name: it has to return. */
long __impasse_wait_for_wake(volatile int *address, int value, enum limit limit, const struct timespec *t)
{
	long nanoseconds = t ? __impasse_nanoseconds(t) : 0;
	if (nanoseconds < 0)
		return -EINVAL;
	long until = limit == LASTS ? __impasse_time_after(nanoseconds) : nanoseconds;
	struct waiter self = {.address = address};
	__impasse_atomic_begin();
	__impasse_fence_before_load(address);
	int changed = *address != value;
	if (!changed)
		append(&self);
	__impasse_atomic_end();
	if (changed)
		return -EAGAIN;
	int flags = __impasse_cancellable | (limit ? IMPASSE_TIMED | IMPASSE_NOT_RESTARTED : 0);
	int ended = __impasse_block_while_equal(&self.woken, 0, flags, 0);
	if (!ended)
		return 0;
	__impasse_atomic_begin();
	int late = self.woken;
	if (!late) {
		remove_waiter(&self);
		if (ended == ETIMEDOUT)
			__impasse_sleep_until(until);
	}
	__impasse_atomic_end();
	if (late)
		return 0;
	return ended == ECANCELED ? -EINTR : -ended;
}

/* Wakes `wake` waiters and has up to `move` more wait at `other`. */
static long wake(volatile int *address, int wake, volatile int *other, int move)
{
	long woken = 0, moved = 0;
	__impasse_atomic_begin();
	struct waiter **p = &waiters;
	while (*p) {
		struct waiter *w = *p;
		if (w->address == address && woken < wake) {
			*p = w->next;
			w->woken = 1;
			woken++;
			continue;
		}
		if (w->address == address && move > 0) {
			w->address = other;
			move--;
			moved++;
		}
		p = &w->next;
	}
	__impasse_atomic_end();
	return woken + moved;
}

long __impasse_futex(volatile int *address, int operation, int value, long timeout, volatile int *other, unsigned set)
{
	const struct timespec *t = (const struct timespec *)timeout;
	switch (operation & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)) {
	case FUTEX_WAIT_BITSET:
		if (set != FUTEX_BITSET_MATCH_ANY)
			__impasse_unsupported("the system call futex with a set of bits");
		return __impasse_wait_for_wake(address, value, t ? ENDS : NONE, t);
	case FUTEX_WAIT:
		return __impasse_wait_for_wake(address, value, t ? LASTS : NONE, t);
	case FUTEX_WAKE_BITSET:
		if (set != FUTEX_BITSET_MATCH_ANY)
			__impasse_unsupported("the system call futex with a set of bits");
		/* fall through */
	case FUTEX_WAKE:
		return wake(address, value, 0, 0);
	case FUTEX_REQUEUE:
		return wake(address, value, other, (int)timeout);
	case FUTEX_LOCK_PI:
		__impasse_asks("the system call futex fails with ENOSYS for a lock that inherits priorities", 0);
		return -ENOSYS;
	default:
		__impasse_unsupported("this operation of the system call futex");
	}
}
