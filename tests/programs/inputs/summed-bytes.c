// expect: verified
// broken: error kind=assertion line=18
// slow: 5 s
// flags: --hangs local
// The sum of any number of bytes has as many values as one byte, but more and more terms: values
// are tried in the end.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
	unsigned char sum = 0;
	while (sum != 77) {
		sum += __VERIFIER_nondet_uchar();
#ifdef BROKEN
		// Not the first value that is tried.
		assert(sum != 78);
#endif
	}
	return 0;
}
