// expect: verified
// broken: error kind=assertion line=19
// Functions that round are followed for all numbers.
#include <assert.h>
#include <math.h>

double __VERIFIER_nondet_double(void);
float __VERIFIER_nondet_float(void);

int main(void)
{
	double x = __VERIFIER_nondet_double();
	if (isnan(x) || isinf(x))
		return 0;
	assert(floor(x) <= x && x <= ceil(x));
	assert(fabs(trunc(x)) <= fabs(x));
	assert(fmin(x, 1) <= fmax(x, 1));
#ifdef BROKEN
	assert(rint(x) != 4 || x > 3.5);
#else
	assert(rint(x) != 4 || x >= 3.5);
#endif
	float y = __VERIFIER_nondet_float();
	if (y >= 0 && y < 100)
		assert(sqrtf(y) <= 10 && fabsf(y - roundf(y)) <= 0.5f);
	return 0;
}
