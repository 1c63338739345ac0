/* The names that the software-verification community gives to choices and errors, and those of impasse.h. Programs declare
 * them with other types as well: the machine passes and returns what such a call can mean. */
#include "impasse_machine.h"
#include <stddef.h>

#define CHOICE(type, name, is_signed)                                                          \
	type __VERIFIER_nondet_##name(void)                                                    \
	{                                                                                      \
		return (type)__impasse_choose_range(#name, 8 * (int)sizeof(type), is_signed); \
	}

/* A program that declares a wider result gets the same numbers. */
#define NARROW_CHOICE(type, name)                                                              \
	long long __VERIFIER_nondet_##name(void)                                               \
	{                                                                                      \
		return (type)__impasse_choose_range(#name, 8 * (int)sizeof(type), 1);         \
	}

_Bool __VERIFIER_nondet_bool(void)
{
	return (_Bool)__impasse_choose_range("bool", 1, 0);
}

NARROW_CHOICE(char, char)
NARROW_CHOICE(signed char, schar)
CHOICE(unsigned char, uchar, 0)
NARROW_CHOICE(short, short)
CHOICE(unsigned short, ushort, 0)
CHOICE(int, int, 1)
CHOICE(unsigned, uint, 0)
CHOICE(unsigned, unsigned, 0)
CHOICE(unsigned, unsigned_int, 0)
CHOICE(unsigned char, unsigned_char, 0)
CHOICE(unsigned short, unsigned_short, 0)
CHOICE(unsigned long, unsigned_long, 0)
CHOICE(long, long, 1)
CHOICE(unsigned long, ulong, 0)
CHOICE(long long, longlong, 1)
CHOICE(unsigned long long, ulonglong, 0)
CHOICE(size_t, size_t, 0)
CHOICE(unsigned char, u8, 0)
CHOICE(unsigned short, u16, 0)
CHOICE(unsigned, u32, 0)
CHOICE(unsigned long, u64, 0)
NARROW_CHOICE(signed char, S8)
CHOICE(unsigned char, U8, 0)
CHOICE(unsigned short, U16, 0)
CHOICE(unsigned, U32, 0)
CHOICE(unsigned long long, U64, 0)
NARROW_CHOICE(signed char, s8)
NARROW_CHOICE(short, s16)
NARROW_CHOICE(short, S16)
CHOICE(int, s32, 1)
CHOICE(int, S32, 1)
CHOICE(long long, s64, 1)
CHOICE(long long, S64, 1)
CHOICE(long, loff_t, 1)
CHOICE(unsigned long, sector_t, 0)
CHOICE(float, float, 1)
CHOICE(double, double, 1)

void __VERIFIER_nondet_memory(void *memory, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((unsigned char *)memory)[i] = __VERIFIER_nondet_uchar();
}

void *__VERIFIER_nondet_pointer(void)
{
	__impasse_unsupported("__VERIFIER_nondet_pointer");
}

char *__VERIFIER_nondet_pchar(void)
{
	__impasse_unsupported("__VERIFIER_nondet_pchar");
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
