#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
	volatile int8_t a = -128;
	volatile uint8_t b = 200;
	volatile int16_t c = 30000;
	volatile uint32_t d = 4000000000u;
	volatile int64_t e = INT64_MIN + 5;
	printf("%d %d %d\n", (uint8_t)a, (int8_t)b, (int8_t)c);
	printf("%d %d %u\n", a / 3, a % 3, b << 3);
	printf("%d %lld %llu\n", (int)(d >> 31), (long long)d * 3, (unsigned long long)e);
	printf("%lld %lld\n", (long long)(e / 7), (long long)(e % 7));
	printf("%d %d\n", -7 / 2, -7 % 2);
	printf("%d %u\n", (int)(c * 2), (uint16_t)(c * 3));
	printf("%d %d %d\n", -1 < 0u, -1 > 0u, (unsigned char)-1 > 0);
	printf("%d %d %d %d\n", CHAR_MIN, SCHAR_MAX, SHRT_MIN, INT_MAX);
	printf("%d\n", -8 >> 1);
	return 0;
}
