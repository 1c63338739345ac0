/* What the instrumentation for undefined behaviour calls. */
#include "steered.h"

#include <stdlib.h>

struct noted;
typedef uintptr_t value;

#define BINARY(name, failure)                                                                      \
	void __ubsan_handle_##name(struct noted *noted, value left, value right)                   \
	{                                                                                          \
		(void)noted, (void)left, (void)right;                                              \
		noticed(failure, CALLER);                                                          \
	}
#define UNARY(name, failure)                                                                       \
	void __ubsan_handle_##name(struct noted *noted, value operand)                             \
	{                                                                                          \
		(void)noted, (void)operand;                                                        \
		noticed(failure, CALLER);                                                          \
	}
#define FATAL(name)                                                                                \
	void __ubsan_handle_##name(struct noted *noted)                                            \
	{                                                                                          \
		(void)noted;                                                                       \
		if (steered())                                                                     \
			failed(FAILURE_UNREACHABLE, CALLER);                                       \
		abort();                                                                           \
	}

BINARY(add_overflow, FAILURE_OVERFLOW)
BINARY(sub_overflow, FAILURE_OVERFLOW)
BINARY(mul_overflow, FAILURE_OVERFLOW)
UNARY(negate_overflow, FAILURE_OVERFLOW)
BINARY(divrem_overflow, FAILURE_DIVISION)
BINARY(shift_out_of_bounds, FAILURE_SHIFT)
UNARY(out_of_bounds, FAILURE_OUT_OF_BOUNDS)
UNARY(function_type_mismatch, FAILURE_CALL)
FATAL(builtin_unreachable)
FATAL(missing_return)
