/* Says where a signal kills the process, unless the program handles it itself. */
#define _GNU_SOURCE
#include "steered.h"

#include <signal.h>
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

/* A stack for when the thread's own is full. */
void prepare_for_signals(void)
{
	void *stack = mmap(NULL, ALTERNATIVE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	stack_t alternative = {.ss_sp = stack, .ss_size = ALTERNATIVE};
	if (stack != MAP_FAILED)
		sigaltstack(&alternative, NULL);
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
