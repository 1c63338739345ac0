/*
 * Linked with a program to run it natively on the inputs of a certificate. The program is compiled so that it calls
 * __sanitizer_cov_trace_pc_guard in every block; after so many blocks the harness writes down how often each was executed, and ends.
 * The rest of this file is made for each program: inputs, count, again, blocks, report.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint32_t at;

static uint64_t next(void)
{
	if (at == count)
		at = again;
	if (at >= count)
		_exit(95);
	return inputs[at++];
}

#define CHOICE(type, name) __attribute__((__weak__)) type __VERIFIER_nondet_##name(void) { return (type)next(); }

CHOICE(_Bool, bool)
CHOICE(char, char)
CHOICE(signed char, schar)
CHOICE(unsigned char, uchar)
CHOICE(short, short)
CHOICE(unsigned short, ushort)
CHOICE(int, int)
CHOICE(unsigned, uint)
CHOICE(unsigned, unsigned)
CHOICE(unsigned, unsigned_int)
CHOICE(long, long)
CHOICE(unsigned long, ulong)
CHOICE(long long, longlong)
CHOICE(unsigned long long, ulonglong)
CHOICE(size_t, size_t)
CHOICE(unsigned char, u8)
CHOICE(unsigned short, u16)
CHOICE(unsigned, u32)
CHOICE(unsigned long, u64)
CHOICE(signed char, S8)
CHOICE(unsigned char, U8)
CHOICE(unsigned short, U16)
CHOICE(unsigned, U32)
CHOICE(long, loff_t)

/* Numbers of a floating-point type take integral values. */
__attribute__((__weak__)) float __VERIFIER_nondet_float(void)
{
	return (float)(int32_t)next();
}

__attribute__((__weak__)) double __VERIFIER_nondet_double(void)
{
	return (double)(int64_t)next();
}

__attribute__((__weak__)) void __VERIFIER_assume(int condition)
{
	if (!condition)
		_exit(96);
}

__attribute__((__weak__)) void __VERIFIER_assert(int condition)
{
	if (!condition)
		abort();
}

__attribute__((__weak__)) void __VERIFIER_error(void)
{
	abort();
}

__attribute__((__weak__)) void reach_error(void)
{
	abort();
}

__attribute__((__weak__)) void __VERIFIER_atomic_begin(void)
{
}

__attribute__((__weak__)) void __VERIFIER_atomic_end(void)
{
}

enum { MOST = 1 << 16 };

static struct {
	void *address;
	uint64_t times;
} executed[MOST];
static uint64_t total;

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
	static uint32_t known;
	for (uint32_t *guard = start; guard < stop; guard++)
		*guard = known < MOST - 1 ? ++known : 0;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
	executed[*guard].address = __builtin_return_address(0);
	executed[*guard].times++;
	if (++total < blocks)
		return;
	FILE *file = fopen(report, "w");
	for (int i = 1; file && i < MOST; i++)
		if (executed[i].times)
			fprintf(file, "%p %lu\n", executed[i].address, executed[i].times);
	if (file)
		fclose(file);
	_exit(97);
}

__attribute__((__constructor__)) static void limit(void)
{
	alarm(20);
}
