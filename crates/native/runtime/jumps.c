/* Jumps out of functions: who jumps must do so to a place that the same thread is still in. */
#define _GNU_SOURCE
#include "steered.h"

#include <setjmp.h>

#define MOST 1024

/* Places that jumps lead to. */
static struct jump {
	const void *buffer;
	uint32_t thread;
	/* How far its function's frame reaches down. */
	uintptr_t stack;
} jumps[MOST];

static struct jump *jump_of(const void *buffer)
{
	for (int n = 0; n < MOST; n++)
		if (jumps[n].buffer == buffer)
			return &jumps[n];
	return NULL;
}

__attribute__((used)) void note_setjmp(const void *buffer, uintptr_t stack)
{
	struct jump *jump = jump_of(buffer);
	if (!jump)
		jump = jump_of(NULL);
	if (jump)
		*jump = (struct jump){buffer, own_number(), stack};
}

void *real_setjmp, *real__setjmp, *real___sigsetjmp;

__attribute__((constructor(101))) static void begin(void)
{
	real_setjmp = real("setjmp");
	real__setjmp = real("_setjmp");
	real___sigsetjmp = real("__sigsetjmp");
}

/* They return to their callers twice, so nothing of ours may be on the stack in between. */
#define SETJMP(name)                                                                               \
	__asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n"                       \
		"push %rdi\npush %rsi\nsub $8, %rsp\nlea 24(%rsp), %rsi\ncall note_setjmp\n"       \
		"add $8, %rsp\npop %rsi\npop %rdi\njmp *real_" #name "(%rip)\n");
SETJMP(setjmp)
SETJMP(_setjmp)
SETJMP(__sigsetjmp)

static void check_jump(const void *buffer, uintptr_t here, uintptr_t caller)
{
	if (!steered())
		return;
	const struct jump *jump = jump_of(buffer);
	if (!jump || jump->thread != own_number() || jump->stack < here)
		noticed(FAILURE_CALL, caller);
}

#define LONGJMP(name)                                                                              \
	void name(struct __jmp_buf_tag *buffer, int value)                                         \
	{                                                                                          \
		check_jump(buffer, (uintptr_t)__builtin_frame_address(0), CALLER);                 \
		((void (*)(struct __jmp_buf_tag *, int))real(#name))(buffer, value);               \
		__builtin_unreachable();                                                           \
	}
LONGJMP(longjmp)
LONGJMP(_longjmp)
LONGJMP(siglongjmp)
