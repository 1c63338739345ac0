/* The end of a thread: clean-up handlers, thread-local destructors, keys; and cancellation, which leads there. */
#include "pthread_impl.h"
#include <stdlib.h>
#include "impasse_machine.h"
#include "thread_end.h"

struct destructor {
	struct destructor *next;
	void (*function)(void *);
	void *object;
};

static _Thread_local struct destructor *destructors;

int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *dso)
{
	(void)dso;
	struct destructor *d = malloc(sizeof *d);
	if (!d)
		return -1;
	*d = (struct destructor){destructors, function, object};
	destructors = d;
	return 0;
}

/* A destructor may construct further objects: take one at a time. */
void __impasse_run_thread_local_destructors(void)
{
	while (destructors) {
		struct destructor d = *destructors;
		free(destructors);
		destructors = d.next;
		d.function(d.object);
	}
}

void _pthread_cleanup_push(struct __ptcb *cb, void (*f)(void *), void *x)
{
	cb->__f = f;
	cb->__x = x;
	cb->__next = __pthread_self()->cancelbuf;
	__pthread_self()->cancelbuf = cb;
}

void _pthread_cleanup_pop(struct __ptcb *cb, int run)
{
	__pthread_self()->cancelbuf = cb->__next;
	if (run)
		cb->__f(cb->__x);
}

void __impasse_run_cleanup_handlers(void)
{
	struct __ptcb *cb;
	while ((cb = __pthread_self()->cancelbuf)) {
		__pthread_self()->cancelbuf = cb->__next;
		cb->__f(cb->__x);
	}
}

void __do_orphaned_stdio_locks(void) __attribute__((__weak__));

void __impasse_thread_exit(void)
{
	__impasse_run_cleanup_handlers();
	__impasse_run_thread_local_destructors();
	__impasse_run_key_destructors();
	if (__do_orphaned_stdio_locks)
		__do_orphaned_stdio_locks();
}

_Noreturn void __impasse_cancelled(void)
{
	pthread_exit(PTHREAD_CANCELED);
}

void pthread_testcancel(void)
{
	if (__impasse_cancel_requested())
		__impasse_cancelled();
}

long __syscall_ret(unsigned long r);
long __impasse_syscall(long n, long a, long b, long c, long d, long e, long f);

_Thread_local int __impasse_cancellable;

/* A system call that is a cancellation point. */
long (__syscall_cp)(long n, long a, long b, long c, long d, long e, long f)
{
	pthread_testcancel();
	__impasse_cancellable = IMPASSE_CANCELLABLE;
	long result = __impasse_syscall(n, a, b, c, d, e, f);
	__impasse_cancellable = 0;
	if (result == -EINTR)
		pthread_testcancel();
	return result;
}
