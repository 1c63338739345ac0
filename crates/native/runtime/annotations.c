/* What programs for verifiers call. Inputs and choices have the values that they have on the path. */
#define _GNU_SOURCE
#include "steered.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

void __assert_fail(const char *text, const char *file, unsigned line, const char *function);

WEAK void reach_error(void)
{
	if (steered())
		failed(FAILURE_ASSERTION, CALLER);
	abort();
}

WEAK void __VERIFIER_error(void)
{
	if (steered())
		failed(FAILURE_ASSERTION, CALLER);
	abort();
}

/* No execution continues there. */
WEAK void __VERIFIER_assume(int condition)
{
	while (!condition && steered())
		blocked(NULL, CALLER);
}

WEAK void __impasse_assume(int condition)
{
	while (!condition && steered())
		blocked(NULL, CALLER);
}

/* The inputs of the path: a line for each, with the thread and the value. */
static char inputs[1 << 16];

__attribute__((constructor(101))) static void begin(void)
{
	const char *path = getenv("IMPASSE_INPUTS");
	int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (file < 0)
		return;
	if (read(file, inputs, sizeof inputs - 1) < 0)
		_exit(117);
	close(file);
}

/* The next input of this thread; the last one again where the path has no more. */
static int64_t next_input(void)
{
	static _Thread_local char *at;
	static _Thread_local int64_t last;
	if (!at)
		at = inputs;
	while (*at) {
		char *rest;
		bool own = strtoul(at, &rest, 10) == own_number();
		int64_t value = strtoll(rest, &rest, 10);
		at = *rest ? rest + 1 : rest;
		if (own) {
			last = value;
			break;
		}
	}
	return last;
}

WEAK int __impasse_choose(int count)
{
	(void)count;
	return (int)next_input();
}

WEAK long long __impasse_choose_range(const char *name, int bits, int is_signed)
{
	(void)name, (void)bits, (void)is_signed;
	return next_input();
}

WEAK _Bool __VERIFIER_nondet_bool(void)
{
	return next_input() != 0;
}

#define INTEGER(type, name)                                                                        \
	WEAK type __VERIFIER_nondet_##name(void)                                                   \
	{                                                                                          \
		return (type)next_input();                                                         \
	}
/* Programs declare them with a wider result, too. */
#define NARROW(type, name)                                                                         \
	WEAK long long __VERIFIER_nondet_##name(void)                                              \
	{                                                                                          \
		return (type)next_input();                                                         \
	}
#define WIDE INTEGER
#define FLOATING(type, integer, name) INTEGER(type, name)
#define ADDRESS(type, name)
#include "inputs.h"

WEAK void __VERIFIER_nondet_memory(void *memory, size_t size)
{
	for (size_t n = 0; n < size; n++)
		((unsigned char *)memory)[n] = (unsigned char)next_input();
}

WEAK void __VERIFIER_loop_begin(void)
{
}

WEAK void __VERIFIER_spin_start(void)
{
}

WEAK void __VERIFIER_spin_end(void)
{
}

WEAK void __VERIFIER_assert(int condition)
{
	if (!condition && steered())
		failed(FAILURE_ASSERTION, CALLER);
}

static _Thread_local int atomic_sections;

WEAK void __VERIFIER_atomic_begin(void)
{
	atomic_sections++;
}

WEAK void __VERIFIER_atomic_end(void)
{
	if (--atomic_sections < 0)
		noticed(FAILURE_CALL, CALLER);
}

WEAK void __impasse_atomic_begin(void)
{
	atomic_sections++;
}

WEAK void __impasse_atomic_end(void)
{
	if (--atomic_sections < 0)
		noticed(FAILURE_CALL, CALLER);
}
