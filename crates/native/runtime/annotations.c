/* What programs for verifiers call. A path that depends on an input is not followed. */
#include "steered.h"

#include <stdlib.h>

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

WEAK void __VERIFIER_assume(int condition)
{
	(void)condition;
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
