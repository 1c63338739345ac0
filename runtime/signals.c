/* Signals that a program sends to itself: the handler runs at once, in the thread that raises it.
 *
 * Nobody else sends any. A blocked signal stays pending until it is unblocked. */
#include <unistd.h>
#include "pthread_impl.h"
#include "ksigaction.h"
#include <stdlib.h>
#include <string.h>
#include "impasse_machine.h"
#include "kernel.h"

static struct k_sigaction actions[_NSIG];

static _Thread_local unsigned long blocked;
static _Thread_local unsigned long pending;

static unsigned long bit(int signal)
{
	return 1UL << (signal - 1);
}

static int ignored_by_default(int signal)
{
	return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
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

static void run_handler(int signal, const struct k_sigaction *action)
{
	unsigned long before = blocked, more;
	memcpy(&more, &action->mask, sizeof more);
	blocked |= more | (action->flags & SA_NODEFER ? 0 : bit(signal));
	if (action->flags & SA_SIGINFO) {
		siginfo_t info = {.si_signo = signal, .si_code = SI_TKILL};
		((void (*)(int, siginfo_t *, void *))(uintptr_t)action->handler)(signal, &info, 0);
	} else {
		action->handler(signal);
	}
	blocked = before;
}

static void deliver(int signal)
{
	struct k_sigaction action = take_action(signal);
	if (action.handler == SIG_IGN)
		return;
	if (action.handler != SIG_DFL)
		run_handler(signal, &action);
	else if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU)
		__impasse_unsupported("a signal that stops the process");
	else if (!ignored_by_default(signal))
		__impasse_abort();
}

int raise(int signal)
{
	if (signal < 0 || signal >= _NSIG) {
		errno = EINVAL;
		return -1;
	}
	if (!signal)
		return 0;
	if (blocked & bit(signal))
		pending |= bit(signal);
	else
		deliver(signal);
	return 0;
}

int kill(pid_t process, int signal)
{
	if (process == getpid())
		return raise(signal);
	__impasse_unsupported("a signal to another process");
}

int pthread_kill(pthread_t thread, int signal)
{
	if (!signal)
		return 0;
	if (pthread_equal(thread, pthread_self()))
		return raise(signal) ? EINVAL : 0;
	__impasse_unsupported("a signal to another thread");
}

_Noreturn void abort(void)
{
	struct k_sigaction action = take_action(SIGABRT);
	if (action.handler != SIG_DFL && action.handler != SIG_IGN)
		run_handler(SIGABRT, &action);
	__impasse_abort();
}

long __impasse_sigaction(int signal, const struct k_sigaction *new, struct k_sigaction *old)
{
	if (signal < 1 || signal >= _NSIG || (new && (signal == SIGKILL || signal == SIGSTOP)))
		return -EINVAL;
	__impasse_atomic_begin();
	if (old)
		*old = actions[signal];
	if (new)
		actions[signal] = *new;
	__impasse_atomic_end();
	return 0;
}

static void deliver_unblocked(void)
{
	for (int signal = 1; pending & ~blocked; signal++) {
		if (pending & ~blocked & bit(signal)) {
			pending &= ~bit(signal);
			deliver(signal);
		}
	}
}

long __impasse_sigprocmask(int how, const unsigned long *set, unsigned long *old)
{
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
	deliver_unblocked();
	return 0;
}

long __impasse_sigpending(unsigned long *set)
{
	*set = pending;
	return 0;
}
