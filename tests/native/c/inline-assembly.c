// models: lp64
// Instructions of x86 that programs write by hand do what the processor does.
#include <stdint.h>
#include <stdio.h>

static const uint64_t numbers[] = {1, 2, 3, 0x80, 0xff, 0x1234, 0x8000, 0x12345678, 0x80000000, 0xfffffffe,
                                   0x123456789abcdef0, 0x8000000000000000, 0xffffffffffffffff};

#define ONE(name, type, instruction)                                                                                   \
	static type name(type n)                                                                                       \
	{                                                                                                              \
		__asm__(instruction : "+r"(n) : : "cc");                                                               \
		return n;                                                                                              \
	}
#define FROM(name, type, instruction)                                                                                  \
	static type name(type n)                                                                                       \
	{                                                                                                              \
		type result;                                                                                           \
		__asm__(instruction : "=r"(result) : "rm"(n) : "cc");                                                  \
		return result;                                                                                         \
	}
#define TWO(name, type, instruction)                                                                                   \
	static type name(type n, type by)                                                                              \
	{                                                                                                              \
		__asm__(instruction : "+r"(n) : "r"(by) : "cc");                                                       \
		return n;                                                                                              \
	}
#define SHIFT(name, type, instruction)                                                                                 \
	static type name(type n, uint8_t by)                                                                           \
	{                                                                                                              \
		__asm__(instruction : "+r"(n) : "c"(by) : "cc");                                                       \
		return n;                                                                                              \
	}

ONE(swap, uint32_t, "bswap %0")
ONE(swap_wide, uint64_t, "bswapq %0")
ONE(negate, uint32_t, "negl %0")
ONE(complement, uint16_t, "notw %0")
ONE(one_more, uint64_t, "incq %0")
ONE(one_less, uint8_t, "decb %0")
ONE(swap_halves, uint16_t, "rorw $8, %w0")
FROM(lowest, uint32_t, "bsfl %1,%0")
FROM(lowest_wide, uint64_t, "bsf %1,%0")
FROM(highest, uint32_t, "bsr %1,%0")
FROM(highest_wide, uint64_t, "bsrq %1,%0")
TWO(add, uint32_t, "addl %1,%0")
TWO(subtract, uint64_t, "sub %1, %0")
TWO(multiply, uint32_t, "imul %1, %0")
TWO(both, uint8_t, "andb %1, %0")
TWO(either, uint16_t, "orw %1, %0")
TWO(differ, uint64_t, "xorq %1, %0")
SHIFT(left, uint32_t, "shll %%cl,%0")
SHIFT(left_wide, uint64_t, "salq %b1,%0")
SHIFT(right, uint32_t, "shr %%cl, %0")
SHIFT(right_signed, int64_t, "sarq %b1, %0")
SHIFT(turn_left, uint32_t, "roll %b1,%0")
SHIFT(turn_right, uint64_t, "ror %%cl,%0")
SHIFT(turn_short, uint16_t, "rolw %b1,%0")

static int lowest_or(uint32_t n, int otherwise)
{
	__asm__("bsfl %1,%0" : "=r"(otherwise) : "r"(n), "0"(otherwise));
	return otherwise;
}

static int shift_by_number(int n)
{
	__asm__("shll $3, %0; " : "+r"(n));
	return n;
}

static int set_bit(volatile long *words, long n)
{
	unsigned char was;
	__asm__ volatile("lock; btsq %2,%1; setc %0" : "=q"(was), "+m"(*words) : "Ir"(n) : "memory");
	return was;
}

static int reset_bit(volatile int *words, int n)
{
	int was;
	__asm__ volatile("lock btrl %2,%1\n\tsbbl %0,%0" : "=r"(was), "+m"(*words) : "Ir"(n) : "memory");
	return was;
}

static int complement_bit(volatile int *word)
{
	_Bool was;
	__asm__ volatile("lock btcl $35, %1" : "=@ccc"(was), "+m"(*word) : : "memory");
	return was;
}

static int set_unlocked(volatile int *words, int n)
{
	_Bool clear;
	__asm__ volatile("bts %2,%1" : "=@ccnc"(clear), "+m"(*words) : "r"(n) : "memory");
	return clear;
}

static int test_bit(int word, int n)
{
	_Bool is;
	__asm__("btl %2,%1" : "=@ccc"(is) : "r"(word), "Ir"(n));
	return is;
}

static int drops_to_zero(volatile int *p)
{
	unsigned char zero;
	__asm__ volatile("lock; decl %0; sete %1" : "+m"(*p), "=qm"(zero) : : "memory");
	return zero;
}

static int gets_negative(volatile int *p, int n)
{
	_Bool negative;
	__asm__ volatile("lock; addl %2, %0" : "+m"(*p), "=@ccs"(negative) : "ir"(n) : "memory");
	return negative;
}

struct pair {
	uint64_t low, high;
} __attribute__((aligned(16)));

static int exchange_pair(struct pair *p, struct pair *old, struct pair new)
{
	unsigned char equal;
	__asm__ volatile("lock; cmpxchg16b %1; setz %0"
	                 : "=q"(equal), "+m"(*p), "+a"(old->low), "+d"(old->high)
	                 : "b"(new.low), "c"(new.high)
	                 : "memory", "cc");
	return equal;
}

static int exchange_halves(uint64_t *p, uint32_t *low, uint32_t *high, uint32_t new_low, uint32_t new_high)
{
	_Bool equal;
	__asm__ volatile("lock cmpxchg8b %1"
	                 : "=@ccz"(equal), "+m"(*p), "+a"(*low), "+d"(*high)
	                 : "b"(new_low), "c"(new_high)
	                 : "memory");
	return equal;
}

static void in_memory(int *p, int by)
{
	__asm__("incl %0" : "+m"(*p));
	__asm__("addl %1, %0" : "+m"(*p) : "r"(by));
	__asm__("shll $2, (%0)" : : "r"(p) : "memory");
	__asm__ volatile("prefetcht0 %0" : : "m"(*p));
	__asm__ volatile("prefetchw (%0)" : : "r"(p));
}

static int time_does_not_run_back(void)
{
	uint32_t low, high, low_later, high_later, processor;
	uint64_t last;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	__asm__ volatile("rdtscp" : "=a"(low_later), "=d"(high_later), "=c"(processor));
	__asm__ volatile("lfence\n\trdtsc\n\tshl $32, %%rdx\n\tor %%rdx, %0" : "=a"(last) : : "rdx");
	uint64_t first = (uint64_t)high << 32 | low, second = (uint64_t)high_later << 32 | low_later;
	return first <= second && second <= last;
}

int main(void)
{
	for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		uint64_t n = numbers[i];
		printf("%x %lx %x %x %lx %x %x\n", swap(n), swap_wide(n), negate(n), complement(n), one_more(n), one_less(n),
		       swap_halves(n));
		printf("%u %u %lu %lu %d\n", (uint32_t)n ? lowest(n) : 0, (uint32_t)n ? highest(n) : 0, lowest_wide(n),
		       highest_wide(n), lowest_or(n, -1));
		for (unsigned j = 0; j < sizeof numbers / sizeof *numbers; j += 3) {
			uint64_t m = numbers[j];
			printf("%x %lx %x %x %x %lx\n", add(n, m), subtract(n, m), multiply(n, m), both(n, m), either(n, m),
			       differ(n, m));
		}
		for (unsigned by = 0; by < 70; by += 9)
			printf("%x %lx %x %lx %x %lx %x\n", left(n, by), left_wide(n, by), right(n, by), right_signed(n, by),
			       turn_left(n, by), turn_right(n, by), turn_short(n, by));
	}
	long words[2] = {0, 0};
	printf("%d %d %d\n", set_bit(words, 3), set_bit(words, 3), set_bit(words, 69));
	printf("%lx %lx\n", words[0], words[1]);
	int bits[3] = {0x80, -1, 0};
	printf("%d %d %d\n", reset_bit(bits + 1, 33), reset_bit(bits + 1, -25), reset_bit(bits, 7));
	printf("%d %d %x\n", complement_bit(bits), complement_bit(bits), bits[0]);
	printf("%d %d %x %x\n", set_unlocked(bits, 64), set_unlocked(bits, 65), bits[1], bits[2]);
	printf("%d %d %d\n", test_bit(5, 2), test_bit(5, 1), test_bit(5, 34));
	int count = 2;
	printf("%d %d %d\n", drops_to_zero(&count), drops_to_zero(&count), count);
	printf("%d %d %d\n", gets_negative(&count, -1), gets_negative(&count, 5), count);
	struct pair pair = {1, 2}, old = {1, 3}, new = {4, 5};
	printf("%d %lu %lu\n", exchange_pair(&pair, &old, new), old.low, old.high);
	printf("%d %lu %lu\n", exchange_pair(&pair, &old, new), pair.low, pair.high);
	uint64_t halves = 0x100000002;
	uint32_t low = 3, high = 1;
	printf("%d %x %x\n", exchange_halves(&halves, &low, &high, 7, 8), low, high);
	printf("%d %lx\n", exchange_halves(&halves, &low, &high, 7, 8), halves);
	in_memory(&count, 6);
	printf("%d %d %d\n", count, shift_by_number(5), time_does_not_run_back());
	return 0;
}
