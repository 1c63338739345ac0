#include <stdint.h>
#include <stdio.h>

int main(void)
{
	volatile uint32_t x = 0x00f01234;
	volatile uint64_t y = 0x0123456789abcdefull;
	printf("%d %d %d %d\n", __builtin_popcount(x), __builtin_clz(x), __builtin_ctz(x), __builtin_parity(x));
	printf("%d %d %d\n", __builtin_popcountll(y), __builtin_clzll(y), __builtin_ffsll(y));
	printf("%x %llx %x\n", __builtin_bswap32(x), (unsigned long long)__builtin_bswap64(y), __builtin_bswap16(0x1234));
	printf("%x %x\n", __builtin_bitreverse32(x), __builtin_rotateleft32(x, 7));
	int r;
	printf("%d %d %d\n", __builtin_add_overflow(2000000000, 2000000000, &r), __builtin_mul_overflow(3, 4, &r), r);
	unsigned u;
	printf("%d %u\n", __builtin_sub_overflow(1u, 2u, &u), u);
	return 0;
}
