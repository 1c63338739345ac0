#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void)
{
	printf("%d %5d|%-5d|%05d|%+d|% d\n", 42, 42, 42, 42, 42, 42);
	printf("%u %x %X %o %#x %#o\n", 4000000000u, 48879, 48879, 8, 255, 8);
	printf("%ld %lld %zu %jd %td\n", LONG_MIN, LLONG_MAX, (size_t)-1, (intmax_t)-3, (ptrdiff_t)7);
	printf("%hhd %hd %c %%\n", 300, 70000, 'x');
	printf("%.3d|%8.3d|%-8.3d|%.0d|\n", 7, 7, 7, 0);
	printf("%*d|%-*d|%.*d\n", 6, 1, 6, 2, 4, 3);
	printf("%" PRId64 " %" PRIx32 "\n", INT64_MIN, UINT32_MAX);
	return 0;
}
