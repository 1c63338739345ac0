// expect: verified
// broken: error kind=assertion line=20
// flags: --hangs local
// The sum of any number of bytes has as many values as one of them, but more and more terms: values
// are tried in the end.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);

int main(void)
{
	unsigned char sum = 0;
	while (sum != 77) {
		unsigned char byte = __VERIFIER_nondet_uchar();
		__VERIFIER_assume(byte < 16);
		sum += byte;
#ifdef BROKEN
		// Not the first value that is tried.
		assert(sum != 78);
#endif
	}
	return 0;
}
