// models: lp64
// Tags in all bits of a pointer that x86-64 leaves: the upper 16, by shifts with the sign and by
// masks, and the lower ones.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int global = 7;

static void *by_shifts(void *p, unsigned tag)
{
	uint64_t packed = (uint64_t)p << 16 | tag;
	return (void *)((int64_t)packed >> 16);
}

static void *by_mask(void *p, uint64_t tag)
{
	uint64_t packed = (uint64_t)p | tag << 48;
	printf("%u ", (unsigned)(packed >> 48));
	return (void *)(packed & ((1ULL << 48) - 1));
}

static void *by_low_bits(void *p, unsigned tag)
{
	uintptr_t packed = (uintptr_t)p | tag;
	printf("%u ", (unsigned)(packed & 7));
	return (void *)(packed & ~(uintptr_t)7);
}

static void show(int *p)
{
	printf("%d ", *(int *)by_shifts(p, 0xbeef));
	printf("%d ", *(int *)by_mask(p, 0xabcd));
	printf("%d\n", *(int *)by_low_bits(p, 5));
	printf("%d\n", (uintptr_t)p >> 47 == 0);
}

int main(void)
{
	_Alignas(8) int local = 8;
	int *allocated = aligned_alloc(8, sizeof *allocated);
	*allocated = 9;
	show(&local);
	show(allocated);
	printf("%d\n", *(int *)by_shifts(&global, 1));
	return 0;
}
