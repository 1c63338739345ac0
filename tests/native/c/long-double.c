#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
	long double x = 1;
	for (int i = 2; i < 20; i++)
		x += 1.0L / i / i;
	printf("%.18Lf\n", x);
	printf("%Lg %Lg %d\n", LDBL_MAX, LDBL_EPSILON, (int)sizeof x);
	volatile long double y = 1e4000L;
	printf("%d %Lg %Lg\n", y > DBL_MAX, y / 1e3990L, -y);
	printf("%lld %g %d\n", (long long)(x * 1e15L), (double)x, (int)(x < 2));
	return 0;
}
