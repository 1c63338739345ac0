#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const char *s[] = {"42", "-17xyz", "0x1F", "077", "  12", "99999999999999999999", "1 2", "-0z"};
	for (int i = 0; i < 8; i++) {
		char *end;
		errno = 0;
		long v = strtol(s[i], &end, 0);
		printf("%ld rest=<%s> errno=%d\n", v, end, errno);
	}
	printf("%ld %lu %lld\n", strtol("zz", 0, 36), strtoul("-1", 0, 10), strtoll("-9223372036854775808", 0, 10));
	printf("%d %ld %g\n", atoi("12abc"), atol("-5"), atof("2.5e3"));
	const char *f[] = {"1.5", "-0x1.8p3", "inf", "nan", "1e400", "1e-400", ".5", "1.7976931348623157e308", "abc"};
	for (int i = 0; i < 9; i++) {
		char *end;
		printf("%g <%s>\n", strtod(f[i], &end), end);
	}
	return 0;
}
