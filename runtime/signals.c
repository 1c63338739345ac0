/* Signals that a program sends to itself. Nothing else sends any.
 *
 * A thread handles what it sends to itself at once. What it sends to another one waits there, and
 * the machine interrupts that thread when it lets it through; what it sends to the process goes to
 * some thread that lets it through, and waits for all of them if none does. */
#include <unistd.h>
#include "pthread_impl.h"
#include "ksigaction.h"
#include <stdlib.h>
#include <string.h>
#include "impasse_machine.h"
#include "kernel.h"
#include "thread_end.h"

static struct k_sigaction actions[_NSIG];

/* What waits for any thread of the process. */
static volatile unsigned long process_pending;

/* Whether the handler that has just run lets system calls start again. */
static _Thread_local int restarts;

static unsigned long bit(int signal)
{
	return 1UL << (signal - 1);
}

static int ignored_by_default(int signal)
{
	return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}

static int is_ignored(int signal)
{
	__impasse_atomic_begin();
	void (*handler)(int) = actions[signal].handler;
	__impasse_atomic_end();
	return handler == SIG_IGN || (handler == SIG_DFL && ignored_by_default(signal));
}

static struct k_sigaction take_action(int signal)
{
	__impasse_atomic_begin();
	struct k_sigaction action = actions[signal];
	if (action.flags & SA_RESETHAND)
		actions[signal].handler = SIG_DFL;
	__impasse_atomic_end();
	return action;
}

static void run_handler(int signal, const struct k_sigaction *action, unsigned long blocked)
{
	unsigned long more;
	memcpy(&more, &action->mask, sizeof more);
	__impasse_block_signals(blocked | more | (action->flags & SA_NODEFER ? 0 : bit(signal)));
	if (action->flags & SA_SIGINFO) {
		siginfo_t info = {.si_signo = signal, .si_code = SI_TKILL};
		((void (*)(int, siginfo_t *, void *))(uintptr_t)action->handler)(signal, &info, 0);
	} else {
		action->handler(signal);
	}
	restarts = (action->flags & SA_RESTART) != 0;
}

static void deliver(int signal, unsigned long blocked)
{
	struct k_sigaction action = take_action(signal);
	restarts = 1;
	if (action.handler == SIG_IGN)
		return;
	if (action.handler != SIG_DFL)
		run_handler(signal, &action, blocked);
	else if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU)
		__impasse_unsupported("a signal that stops the process");
	else if (!ignored_by_default(signal))
		__impasse_abort();
}

/* Delivers what waits and is not blocked; the mask may be another one meanwhile. */
static void deliver_all_but(unsigned long blocked)
{
	int signal;
	while ((signal = __impasse_wait_for_signal(&process_pending, ~blocked, IMPASSE_TIMED)) > 0) {
		deliver(signal, blocked);
		__impasse_block_signals(blocked);
	}
}

/* What the thread sends to itself, or has let through. */
static void deliver_here(int signal)
{
	unsigned long blocked = __impasse_blocked_signals();
	deliver(signal, blocked);
	__impasse_block_signals(blocked);
	deliver_all_but(blocked);
}

/* Called by the machine in a thread that a signal interrupts, with all signals blocked, and those that were before. */
void __impasse_handle_signal(int signal, unsigned long blocked)
{
	deliver(signal, blocked);
	while ((signal = __impasse_wait_for_signal(&process_pending, ~blocked, IMPASSE_TIMED)) > 0)
		deliver(signal, blocked);
	__impasse_handler_ends(restarts);
}

static int is_signal(int signal)
{
	return signal >= 0 && signal < _NSIG;
}

int raise(int signal)
{
	if (!is_signal(signal)) {
		errno = EINVAL;
		return -1;
	}
	if (!signal)
		return 0;
	if (__impasse_blocked_signals() & bit(signal))
		__impasse_send_signal(pthread_self(), signal, 0);
	else
		deliver_here(signal);
	return 0;
}

int kill(pid_t process, int signal)
{
	if (process != getpid())
		__impasse_unsupported("a signal to another process");
	if (!is_signal(signal)) {
		errno = EINVAL;
		return -1;
	}
	if (!signal)
		return 0;
	__impasse_atomic_begin();
	int taker = __impasse_signal_process(signal, __impasse_handle_signal);
	if (taker == IMPASSE_NOBODY)
		process_pending |= bit(signal);
	__impasse_atomic_end();
	if (taker == IMPASSE_OWN_THREAD)
		deliver_here(signal);
	return 0;
}

int pthread_kill(pthread_t thread, int signal)
{
	if (!is_signal(signal))
		return EINVAL;
	if (pthread_equal(thread, pthread_self()))
		return raise(signal) ? errno : 0;
	return signal ? __impasse_send_signal(thread, signal, __impasse_handle_signal) : 0;
}

_Noreturn void abort(void)
{
	struct k_sigaction action = take_action(SIGABRT);
	if (action.handler != SIG_DFL && action.handler != SIG_IGN)
		run_handler(SIGABRT, &action, __impasse_blocked_signals());
	__impasse_abort();
}

long __impasse_sigaction(int signal, const struct k_sigaction *new, struct k_sigaction *old)
{
	if (signal < 1 || signal >= _NSIG || (new && (signal == SIGKILL || signal == SIGSTOP)))
		return -EINVAL;
	__impasse_atomic_begin();
	if (old)
		*old = actions[signal];
	if (new) {
		actions[signal] = *new;
		__impasse_signal_handled(signal, new->handler != SIG_IGN && new->handler != SIG_DFL);
	}
	__impasse_atomic_end();
	return 0;
}

long __impasse_sigprocmask(int how, const unsigned long *set, unsigned long *old)
{
	unsigned long blocked = __impasse_blocked_signals();
	if (old)
		*old = blocked;
	if (!set)
		return 0;
	switch (how) {
	case SIG_BLOCK: blocked |= *set; break;
	case SIG_UNBLOCK: blocked &= ~*set; break;
	case SIG_SETMASK: blocked = *set; break;
	default: return -EINVAL;
	}
	blocked &= ~(bit(SIGKILL) | bit(SIGSTOP));
	__impasse_block_signals(blocked);
	deliver_all_but(blocked);
	return 0;
}

long __impasse_sigpending(unsigned long *set)
{
	__impasse_atomic_begin();
	*set = process_pending | __impasse_pending_signals();
	__impasse_atomic_end();
	return 0;
}

/* With a time limit it ends at once if no signal waits: that one comes first is another interleaving. */
long __impasse_sigtimedwait(const unsigned long *set, siginfo_t *info, const struct timespec *limit)
{
	int flags = limit ? IMPASSE_TIMED : __impasse_cancellable;
	long nanoseconds = limit ? __impasse_nanoseconds(limit) : 0;
	if (nanoseconds < 0)
		return nanoseconds;
	long until = nanoseconds ? __impasse_time_after(nanoseconds) : 0;
	__impasse_atomic_begin();
	int signal = limit ? __impasse_wait_for_signal(&process_pending, *set, flags) : 0;
	if (!signal && nanoseconds)
		__impasse_sleep_until(until);
	__impasse_atomic_end();
	if (!limit)
		signal = __impasse_wait_for_signal(&process_pending, *set, flags);
	if (signal < 0)
		return -EINTR;
	if (!signal)
		return -EAGAIN;
	if (info)
		*info = (siginfo_t){.si_signo = signal, .si_code = SI_TKILL, .si_pid = getpid()};
	return signal;
}

/* Waits, with another mask if there is one, until a handler has run. */
long __impasse_sigsuspend(const unsigned long *mask)
{
	unsigned long before = __impasse_blocked_signals(), open = ~(mask ? *mask : before);
	__impasse_block_signals(~0UL);
	int signal, caught;
	do {
		signal = __impasse_wait_for_signal(&process_pending, open, __impasse_cancellable);
		caught = signal < 0 || !is_ignored(signal);
		if (signal > 0) {
			deliver(signal, ~open);
			__impasse_block_signals(~0UL);
		}
	} while (!caught);
	__impasse_block_signals(before);
	return -EINTR;
}
