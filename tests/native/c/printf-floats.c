#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
	double v[] = {0, -0.0, 1, -1.5, 3.14159265358979, 1e10, 1e-10, 123456789.123, DBL_MAX, DBL_MIN, INFINITY, -INFINITY, 0.1, 2.5, 3.5, 1e23};
	for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
		printf("%f %e %g %.0f %.3f %10.2f|%-12.4e|%+g|%a\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
	printf("%.17g %.40f\n", 0.1, 0.1);
	printf("%Lf %Lg %.20Lg\n", 1.5L, 1e100L, 0.1L);
	printf("%G %E %F\n", 1e-20, 1e20, 1.0);
	return 0;
}
