// expect: verified
// Floating point has an infinity.
#include <assert.h>
#include <math.h>

int main(void)
{
	volatile double zero = 0;
	assert(isinf(1 / zero) && isnan(zero / zero));
	return 0;
}
