/* The names that the software-verification community gives to choices and errors, and those of impasse.h. Programs declare
 * them with other types as well: the machine passes and returns what such a call can mean. */
#include "impasse_machine.h"
#include <stddef.h>
#include <stdint.h>

_Bool __VERIFIER_nondet_bool(void)
{
	return (_Bool)__impasse_choose_range("bool", 1, 0);
}

#define INTEGER(type, name)                                                                            \
	type __VERIFIER_nondet_##name(void)                                                            \
	{                                                                                              \
		return (type)__impasse_choose_range(#name, 8 * (int)sizeof(type), (type)-1 < (type)0); \
	}

/* A program that declares a wider result gets the same numbers. */
#define NARROW(type, name)                                                            \
	long long __VERIFIER_nondet_##name(void)                                      \
	{                                                                             \
		return (type)__impasse_choose_range(#name, 8 * (int)sizeof(type), 1); \
	}

#define WIDE(type, name)                                                                   \
	type __VERIFIER_nondet_##name(void)                                                \
	{                                                                                  \
		int is_signed = (type)-1 < (type)0;                                        \
		long long lower = __impasse_choose_range(#name, 128, is_signed);           \
		long long upper = __impasse_choose_upper_half(#name, is_signed, lower);    \
		return (type)((unsigned __int128)upper << 64 | (unsigned long long)lower); \
	}

/* Any number, or any whole one where each is tried. */
#define FLOATING(type, integer, name)                                                             \
	type __VERIFIER_nondet_##name(void)                                                       \
	{                                                                                         \
		union {                                                                           \
			integer bits;                                                             \
			type number;                                                              \
		} any;                                                                            \
		if (sizeof any.number > sizeof any.bits || !__impasse_follows_inputs())           \
			return (type)__impasse_choose_range(#name, 8 * (int)sizeof(integer), 1);  \
		any.bits = (integer)__impasse_choose_range(#name, 8 * (int)sizeof any.number, 0); \
		return any.number;                                                                \
	}

/* An address has no values that could all be tried. */
#define ADDRESS(type, name)                                        \
	type __VERIFIER_nondet_##name(void)                        \
	{                                                          \
		__impasse_unsupported("__VERIFIER_nondet_" #name); \
	}

#include "inputs.h"

void __VERIFIER_nondet_memory(void *memory, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((unsigned char *)memory)[i] = __VERIFIER_nondet_uchar();
}

void __VERIFIER_assume(int condition)
{
	__impasse_assume(condition);
}

void __VERIFIER_assert(int condition)
{
	if (!condition)
		__impasse_failed("__VERIFIER_assert");
}

_Noreturn void __VERIFIER_error(void)
{
	__impasse_failed("__VERIFIER_error");
}

__attribute__((__weak__)) _Noreturn void reach_error(void)
{
	__impasse_failed("reach_error");
}

void __VERIFIER_atomic_begin(void)
{
	__impasse_atomic_begin();
}

void __VERIFIER_atomic_end(void)
{
	__impasse_atomic_end();
}

/* GenMC's marks of loops that only wait: those are found without. */
void __VERIFIER_loop_begin(void)
{
}

void __VERIFIER_spin_start(void)
{
}

void __VERIFIER_spin_end(void)
{
}
