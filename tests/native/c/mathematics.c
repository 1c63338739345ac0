#include <math.h>
#include <stdio.h>

int main(void)
{
	volatile double x = 2.75, y = -1.25;
	printf("%.6g %.6g %.6g %.6g\n", sqrt(x), cbrt(x), pow(x, 3), hypot(3, 4));
	printf("%.6g %.6g %.6g %.6g\n", sin(x), cos(x), tan(x), atan2(y, x));
	printf("%.6g %.6g %.6g %.6g\n", exp(x), log(x), log10(x), log2(x));
	printf("%g %g %g %g %g %g\n", floor(y), ceil(y), trunc(y), round(y), rint(2.5), nearbyint(3.5));
	printf("%g %g %g %g\n", fmod(7.5, 2), remainder(7.5, 2), fabs(y), copysign(3, y));
	printf("%g %g %g %g\n", fmax(x, y), fmin(x, y), fdim(x, y), fma(x, y, 1));
	int e;
	double m = frexp(40, &e), whole, part = modf(x, &whole);
	printf("%g %d %g %g %g %ld %d\n", m, e, whole, part, ldexp(0.75, 4), lround(2.5), ilogb(40));
	printf("%d %d %d %d %d\n", isnan(NAN), isinf(INFINITY) != 0, isfinite(x) != 0, signbit(-0.0) != 0, fpclassify(0.0) == FP_ZERO);
	printf("%.6g %.6g %.6g\n", sinh(1), tanh(1), tgamma(5));
	printf("%.6f %.6f\n", (double)sinf(1.f), (double)sqrtf(2.f));
	printf("%.10Lg %.10Lg\n", sqrtl(2.L), floorl(-2.5L));
	return 0;
}
