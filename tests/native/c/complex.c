#include <complex.h>
#include <stdio.h>

int main(void)
{
	double complex z = 3 + 4 * I, w = z * z - 1;
	printf("%g %g %g\n", creal(w), cimag(w), cabs(z));
	w = z / (1 - I);
	printf("%g %g %g\n", creal(w), cimag(w), creal(conj(z)));
	return 0;
}
