/* Square roots are instructions of the machine: exact, and followed on numbers that are unknown. */
#include <math.h>

double sqrt(double x)
{
	return __builtin_elementwise_sqrt(x);
}

float sqrtf(float x)
{
	return __builtin_elementwise_sqrt(x);
}
