/* Signals. Those that only kill a process that does something wrong come at once; where they kill
 * it, that is said. All others stay pending until the thread is asked to take one: for the kernel,
 * every thread blocks them. */
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

typedef int (*sigaction_function)(int, const struct sigaction *, struct sigaction *);

static int real_sigaction(int number, const struct sigaction *now, struct sigaction *before)
{
	static sigaction_function found;
	if (!found)
		found = (sigaction_function)real("sigaction");
	return found(number, now, before);
}

static bool is_fatal(int number)
{
	switch (number) {
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGTRAP:
	case SIGABRT:
		return true;
	default:
		return false;
	}
}

/* How far from the stack pointer a function accesses its frame. */
#define FRAME ((uintptr_t)64 << 10)
#define ALTERNATIVE ((size_t)64 << 10)

static void killed(int number, siginfo_t *info, void *data)
{
	const ucontext_t *context = data;
	uintptr_t at = context->uc_mcontext.gregs[REG_RIP];
	uintptr_t stack = context->uc_mcontext.gregs[REG_RSP];
	uintptr_t address = (uintptr_t)info->si_addr;
	bool overflow = number == SIGSEGV && address - (stack - FRAME) < 2 * FRAME;
	/* Where a call has led to no code, its return address is all there is. */
	bool lost = number == SIGSEGV && at == address && !overflow;
	/* After a trap, the address is that of the next instruction. */
	uintptr_t after = lost ? *(uintptr_t *)stack : number == SIGTRAP ? at : at + 1;
	crashed(number, overflow, after);
	struct sigaction usual = {.sa_handler = SIG_DFL};
	real_sigaction(number, &usual, NULL);
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

static void handle(int number)
{
	struct sigaction ours = {.sa_sigaction = killed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	real_sigaction(number, &ours, NULL);
}

/* What the program has blocked. */
static _Thread_local sigset_t blocked_by_program;
static _Thread_local uint64_t taken;

const sigset_t *program_mask(void)
{
	return &blocked_by_program;
}

void set_program_mask(const sigset_t *mask)
{
	blocked_by_program = *mask;
}

uint64_t signals_taken(void)
{
	return taken;
}

static int real_mask(int how, const sigset_t *set, sigset_t *before)
{
	return REAL(pthread_sigmask)(how, set, before);
}

static void block_all(void)
{
	sigset_t set;
	sigfillset(&set);
	for (int number = 1; number < 32; number++)
		if (is_fatal(number))
			sigdelset(&set, number);
	if (getenv("IMPASSE_DEBUGGED"))
		sigdelset(&set, SIGINT);
	real_mask(SIG_BLOCK, &set, NULL);
}

/* A stack for when the thread's own is full. */
void prepare_for_signals(void)
{
	void *stack = mmap(NULL, ALTERNATIVE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	stack_t alternative = {.ss_sp = stack, .ss_size = ALTERNATIVE};
	if (stack != MAP_FAILED)
		sigaltstack(&alternative, NULL);
	block_all();
}

/* A child has the mask that it would have. */
void end_signals(void)
{
	real_mask(SIG_SETMASK, &blocked_by_program, NULL);
}

#define FIRST_REAL_TIME 35

bool take_signal(int number, bool has_end, uintptr_t caller)
{
	sigset_t only, pending;
	struct sigaction action;
	/* Impasse's C library keeps other real-time signals for itself. */
	if (number >= FIRST_REAL_TIME)
		number += SIGRTMIN - FIRST_REAL_TIME;
	if (number == SIGALRM)
		end_alarm();
	real_sigaction(number, NULL, &action);
	bool handled = action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
	if (action.sa_handler == SIG_DFL && number != SIGCHLD && number != SIGCONT)
		crashed(number, false, caller);
	sigemptyset(&only);
	sigaddset(&only, number);
	if (REAL(sigpending)(&pending) || !sigismember(&pending, number))
		syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
	taken++;
	real_mask(SIG_UNBLOCK, &only, NULL);
	real_mask(SIG_BLOCK, &only, NULL);
	return handled && (has_end || !(action.sa_flags & SA_RESTART));
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	if (!connected())
		return real_mask(how, set, before);
	arrive(CLASS_CALL, NULL, 0, CALLER);
	if (before)
		*before = blocked_by_program;
	if (!set)
		return 0;
	for (int number = 1; number < 64; number++) {
		bool is_in = sigismember(set, number) == 1;
		if (how == SIG_SETMASK)
			(is_in ? sigaddset : sigdelset)(&blocked_by_program, number);
		else if (is_in)
			(how == SIG_BLOCK ? sigaddset : sigdelset)(&blocked_by_program, number);
	}
	return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	return pthread_sigmask(how, set, before);
}

int sigpending(sigset_t *set)
{
	int result = REAL(sigpending)(set);
	for (int number = 1; number < 64 && connected(); number++)
		if (sigismember(&blocked_by_program, number) != 1)
			sigdelset(set, number);
	return result;
}

/* Waits until a signal is taken. */
static int wait_for_signal(uintptr_t caller)
{
	uint64_t before = taken;
	arrive(CLASS_CALL, NULL, 0, caller);
	while (taken == before) {
		blocked(NULL, caller);
		pthread_testcancel();
	}
	errno = EINTR;
	return -1;
}

int pause(void)
{
	return steered() ? wait_for_signal(CALLER) : REAL(pause)();
}

int sigsuspend(const sigset_t *set)
{
	if (!steered())
		return REAL(sigsuspend)(set);
	sigset_t before = blocked_by_program;
	blocked_by_program = *set;
	wait_for_signal(CALLER);
	blocked_by_program = before;
	return -1;
}

static int accept_signal(const sigset_t *set, siginfo_t *info, const struct timespec *until,
			 uintptr_t caller)
{
	static const struct timespec none;
	uint64_t before = taken;
	arrive(CLASS_CALL, NULL, 0, caller);
	for (;;) {
		int number = REAL(sigtimedwait)(set, info, &none);
		if (number > 0 || errno != EAGAIN)
			return number;
		switch (blocked_since(before, until, caller)) {
		case WAIT_LATE:
			errno = EAGAIN;
			return -1;
		case WAIT_INTERRUPTED:
			errno = EINTR;
			return -1;
		default:
			pthread_testcancel();
		}
	}
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *time)
{
	struct timespec end;
	if (!steered() || (time && (time->tv_nsec < 0 || time->tv_nsec >= 1000000000)))
		return REAL(sigtimedwait)(set, info, time);
	return accept_signal(set, info, time ? end_of(time, &end) : NULL, CALLER);
}

int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	if (!steered())
		return REAL(sigwaitinfo)(set, info);
	return accept_signal(set, info, NULL, CALLER);
}

int sigwait(const sigset_t *set, int *number)
{
	if (!steered())
		return REAL(sigwait)(set, number);
	int result;
	while ((result = accept_signal(set, NULL, NULL, CALLER)) < 0 && errno == EINTR)
		;
	if (result < 0)
		return errno;
	*number = result;
	return 0;
}

int kill(pid_t process, int number)
{
	arrive(CLASS_CALL, NULL, 0, CALLER);
	return REAL(kill)(process, number);
}

int raise(int number)
{
	arrive(CLASS_CALL, NULL, 0, CALLER);
	return REAL(raise)(number);
}

void begin_signals(void)
{
	for (int number = 1; number < 32; number++)
		if (is_fatal(number))
			handle(number);
}

/* For the program, it is as if there were no handler. */
int sigaction(int number, const struct sigaction *now, struct sigaction *before)
{
	int result = real_sigaction(number, now, before);
	if (result || !is_fatal(number))
		return result;
	if (before && (before->sa_flags & SA_SIGINFO) && before->sa_sigaction == killed)
		*before = (struct sigaction){.sa_handler = SIG_DFL};
	if (now && now->sa_handler == SIG_DFL && connected())
		handle(number);
	return 0;
}

void (*signal(int number, void (*handler)(int)))(int)
{
	struct sigaction now = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
	sigemptyset(&now.sa_mask);
	return sigaction(number, &now, &before) ? SIG_ERR : before.sa_handler;
}

/* The program's handler runs first, and the process is killed all the same. */
_Noreturn void abort(void)
{
	uintptr_t caller = CALLER;
	struct sigaction now, usual = {.sa_handler = SIG_DFL};
	real_sigaction(SIGABRT, NULL, &now);
	if (connected() && now.sa_sigaction != killed) {
		REAL(raise)(SIGABRT);
		crashed(SIGABRT, false, caller);
		real_sigaction(SIGABRT, &usual, NULL);
	}
	((void (*)(void))real("abort"))();
	_exit(118);
}
