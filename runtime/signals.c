/* Signals that a program sends to itself. Nothing else sends any.
 *
 * A thread handles what it sends to itself at once. What it sends to another one waits there, and
 * the machine interrupts that thread when it lets it through; what it sends to the process waits
 * for any thread that lets it through or takes it. */
#include <unistd.h>
#include "pthread_impl.h"
#include "ksigaction.h"
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include "syscall.h"
#include "impasse_machine.h"
#include "kernel.h"
#include "thread_end.h"

static struct k_sigaction actions[_NSIG];

/* Who a signal was sent to. */
enum target { THREAD, PROCESS };

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

/* What comes with signals to the process that wait, in the order in which they were sent. One that waits without is from kill. */
static struct sent {
	int signal, code, timer;
	union sigval value;
} sent[32];
static int sent_count;

static siginfo_t information(const struct sent *sent)
{
	siginfo_t info = {.si_signo = sent->signal, .si_code = sent->code};
	if (sent->code == SI_TIMER) {
		info.si_timerid = sent->timer;
	} else if (sent->code != SI_KERNEL) {
		info.si_pid = IMPASSE_PROCESS_ID;
		info.si_uid = IMPASSE_USER_ID;
	}
	if (sent->code == SI_QUEUE || sent->code == SI_TIMER)
		info.si_value = sent->value;
	return info;
}

static void remove_sent(int i)
{
	sent_count--;
	for (; i < sent_count; i++)
		sent[i] = sent[i + 1];
	sent[i] = (struct sent){0};
}

/* What comes with a signal that has been taken [atomic]. */
static struct sent take_sent(int signal, enum target target)
{
	for (int i = 0; target == PROCESS && i < sent_count; i++) {
		if (sent[i].signal == signal) {
			struct sent first = sent[i];
			remove_sent(i);
			return first;
		}
	}
	return (struct sent){.signal = signal, .code = target == PROCESS ? SI_USER : SI_TKILL};
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

/* No register has a value in the context that a handler gets. */
static void run_handler(const struct sent *sent, const struct k_sigaction *action, unsigned long blocked)
{
	int cancellable = __impasse_cancellable;
	__impasse_cancellable = 0;
	int signal = sent->signal;
	unsigned long more;
	memcpy(&more, &action->mask, sizeof more);
	__impasse_block_signals(blocked | more | (action->flags & SA_NODEFER ? 0 : bit(signal)));
	if (action->flags & SA_SIGINFO) {
		siginfo_t info = information(sent);
		ucontext_t context = {0};
		memcpy(&context.uc_sigmask, &blocked, sizeof blocked);
		((void (*)(int, siginfo_t *, void *))(uintptr_t)action->handler)(signal, &info, &context);
	} else {
		action->handler(signal);
	}
	restarts = (action->flags & SA_RESTART) != 0;
	__impasse_cancellable = cancellable;
}

/* A signal that has been taken, where the code is 0 (SI_USER), or that the thread sends to itself. Returns whether a handler ran. */
static int deliver(int signal, enum target target, int code, union sigval value, unsigned long blocked)
{
	__impasse_atomic_begin();
	struct sent sent = code ? (struct sent){.signal = signal, .code = code, .value = value} : take_sent(signal, target);
	struct k_sigaction action = take_action(signal);
	__impasse_atomic_end();
	restarts = 1;
	if (action.handler == SIG_IGN)
		return 0;
	if (action.handler != SIG_DFL) {
		run_handler(&sent, &action, blocked);
		return 1;
	}
	if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU)
		__impasse_unsupported("a signal that stops the process");
	if (!ignored_by_default(signal))
		__impasse_abort(signal);
	return 0;
}

static const union sigval none;

int __impasse_deliver(int taken, unsigned long blocked)
{
	return deliver(taken & ~IMPASSE_SHARED, taken & IMPASSE_SHARED ? PROCESS : THREAD, 0, none, blocked);
}

int __impasse_deliver_open(int taken, unsigned long open)
{
	int caught = __impasse_deliver(taken, ~open);
	__impasse_block_signals(~0UL);
	while (caught && (taken = __impasse_wait_for_signal(open, IMPASSE_TIMED)) > 0) {
		__impasse_deliver(taken, ~open);
		__impasse_block_signals(~0UL);
	}
	return caught;
}

/* Delivers what waits and is not blocked; the mask may be another one meanwhile. */
static void deliver_all_but(unsigned long blocked)
{
	int taken;
	while ((taken = __impasse_wait_for_signal(~blocked, IMPASSE_TIMED)) > 0) {
		__impasse_deliver(taken, blocked);
		__impasse_block_signals(blocked);
	}
}

/* What the thread sends to itself, or has let through. */
static void deliver_here(int signal, enum target target, int code, union sigval value)
{
	unsigned long blocked = __impasse_blocked_signals();
	deliver(signal, target, code, value, blocked);
	__impasse_block_signals(blocked);
	deliver_all_but(blocked);
}

/* Called by the machine in a thread that a signal interrupts, with all signals blocked, and those that were before. */
void __impasse_handle_signal(int signal, int shared, unsigned long blocked)
{
	int taken;
	deliver(signal, shared ? PROCESS : THREAD, 0, none, blocked);
	while ((taken = __impasse_wait_for_signal(~blocked, IMPASSE_TIMED)) > 0)
		__impasse_deliver(taken, blocked);
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
		__impasse_send_signal(pthread_self(), signal, 0, 0);
	else
		deliver_here(signal, THREAD, SI_TKILL, none);
	return 0;
}

static int is_real_time(int signal)
{
	return signal >= 32;
}

/* Sends a signal to the process [atomic]. Returns whether the calling thread has to handle it. */
static int post(int signal, int code, int timer, union sigval value)
{
	int result = __impasse_signal_process(signal, is_ignored(signal), __impasse_handle_signal);
	int is_kept = result == IMPASSE_WAITS && (code != SI_USER || is_real_time(signal));
	if (is_kept) {
		if (sent_count == sizeof sent / sizeof *sent)
			__impasse_unsupported("more than 32 signals that wait");
		sent[sent_count++] = (struct sent){signal, code, timer, value};
	}
	return result == IMPASSE_OWN;
}

static int send_to_process(pid_t process, int signal, int code, union sigval value)
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
	int is_own = post(signal, code, 0, value);
	__impasse_atomic_end();
	if (is_own)
		deliver_here(signal, PROCESS, code, value);
	return 0;
}

int kill(pid_t process, int signal)
{
	return send_to_process(process, signal, SI_USER, none);
}

int sigqueue(pid_t process, int signal, const union sigval value)
{
	return send_to_process(process, signal, SI_QUEUE, value);
}

/* A timer whose signal waits already does not send it again. */
void __impasse_post_timer_signal(int signal, int code, int timer, union sigval value)
{
	for (int i = 0; i < sent_count; i++)
		if (sent[i].code == code && sent[i].timer == timer)
			return;
	post(signal, code, timer, value);
}

/* Whether no other thread lets a signal through that waits [atomic]; not known of real-time signals. */
int __impasse_only_here(int signal)
{
	return !is_real_time(signal) && __impasse_signal_process(signal, 0, __impasse_handle_signal) == IMPASSE_OWN;
}

/* A signal to the process that waits, and that only the calling thread lets through, is handled before a system call returns. */
void __impasse_deliver_if_alone(int signal)
{
	if (!signal || __impasse_blocked_signals() & bit(signal))
		return;
	__impasse_atomic_begin();
	int taken = __impasse_wait_for_signal(bit(signal), IMPASSE_TIMED);
	int is_own = taken > 0 && !(taken & IMPASSE_SHARED);
	if (taken & IMPASSE_SHARED && taken > 0)
		is_own = __impasse_signal_process(signal, 0, __impasse_handle_signal) == IMPASSE_OWN;
	__impasse_atomic_end();
	if (is_own) {
		unsigned long blocked = __impasse_blocked_signals();
		__impasse_deliver(taken, blocked);
		__impasse_block_signals(blocked);
	}
}

int pthread_kill(pthread_t thread, int signal)
{
	if (!is_signal(signal))
		return EINVAL;
	if (pthread_equal(thread, pthread_self()))
		return raise(signal) ? errno : 0;
	if (!signal)
		return 0;
	__impasse_atomic_begin();
	int error = __impasse_send_signal(thread, signal, is_ignored(signal), __impasse_handle_signal);
	__impasse_atomic_end();
	return error;
}

_Noreturn void abort(void)
{
	struct k_sigaction action = take_action(SIGABRT);
	if (action.handler != SIG_DFL && action.handler != SIG_IGN)
		run_handler(&(struct sent){.signal = SIGABRT, .code = SI_TKILL}, &action, __impasse_blocked_signals());
	__impasse_abort(0);
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
		for (int i = 0; is_ignored(signal) && i < sent_count;)
			if (sent[i].signal == signal)
				remove_sent(i);
			else
				i++;
		__impasse_signal_handled(signal, new->handler != SIG_IGN && new->handler != SIG_DFL, is_ignored(signal));
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
	*set = __impasse_pending_signals() & __impasse_blocked_signals();
	__impasse_atomic_end();
	return 0;
}

/* With a time limit it ends at once if no signal waits: that one comes first is another interleaving. */
long __impasse_sigtimedwait(const unsigned long *set, siginfo_t *info, const struct timespec *limit)
{
	long nanoseconds = limit ? __impasse_nanoseconds(limit) : 0;
	if (nanoseconds < 0)
		return -EINVAL;
	int taken;
	if (limit) {
		long until = nanoseconds ? __impasse_time_after(nanoseconds) : 0;
		int interrupted = nanoseconds ? __impasse_interrupted(*set) : 0;
		__impasse_atomic_begin();
		taken = __impasse_wait_for_signal(*set, IMPASSE_TIMED);
		if (!taken && interrupted)
			taken = -EINTR;
		else if (!taken && nanoseconds)
			__impasse_sleep_until(until);
		__impasse_atomic_end();
	} else {
		taken = __impasse_wait_for_signal(*set, __impasse_cancellable);
	}
	if (taken < 0)
		return -EINTR;
	if (!taken)
		return -EAGAIN;
	int signal = taken & ~IMPASSE_SHARED;
	__impasse_atomic_begin();
	struct sent sent = take_sent(signal, taken & IMPASSE_SHARED ? PROCESS : THREAD);
	__impasse_atomic_end();
	if (info)
		*info = information(&sent);
	return signal;
}

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict limit)
{
	return syscall_cp(SYS_rt_sigtimedwait, set, info, limit, _NSIG / 8);
}

int sigwait(const sigset_t *restrict set, int *restrict signal)
{
	long result;
	do
		result = __syscall_cp(SYS_rt_sigtimedwait, set, 0, 0, _NSIG / 8);
	while (result == -EINTR);
	if (result < 0)
		return (int)-result;
	*signal = (int)result;
	return 0;
}

/* Waits, with another mask if there is one, until a handler has run. */
long __impasse_sigsuspend(const unsigned long *mask)
{
	unsigned long before = __impasse_blocked_signals(), open = ~(mask ? *mask : before);
	__impasse_block_signals(~0UL);
	int taken, caught;
	do {
		taken = __impasse_wait_for_signal(open, __impasse_cancellable);
		caught = taken < 0 || __impasse_deliver_open(taken, open);
	} while (!caught);
	__impasse_block_signals(before);
	return -EINTR;
}
