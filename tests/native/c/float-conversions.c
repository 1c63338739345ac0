// models: lp64
#include <stdio.h>

int main(void)
{
	volatile float f = 16777217.0f, g = 0.1f;
	volatile double d = 1e300, e = -2.9;
	volatile long big = 9007199254740993;
	volatile unsigned long huge = 18446744073709551615ul;
	printf("%.1f %.17g %.17g\n", f, (double)g, (double)g * 3);
	printf("%d %d %u %ld\n", (int)e, (int)2.9, (unsigned)3.7, (long)-1e15);
	printf("%.1f %.1f %.1f\n", (double)big, (double)huge, (float)big);
	printf("%g %d\n", (float)d, (float)d > 3e38);
	printf("%lu %d\n", (unsigned long)1e19, (signed char)(int)e);
	printf("%d %d %d\n", 0.1 + 0.2 == 0.3, 0.1f == 0.1, 0.5f == 0.5);
	return 0;
}
