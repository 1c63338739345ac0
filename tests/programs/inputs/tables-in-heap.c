// expect: error kind=out-of-bounds line=24
// broken: error kind=use-after-free line=24
// Tables whose results are sums of bits of the place, in memory that is gone, or of which the size
// is an input.
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

int main(void)
{
	unsigned size = __VERIFIER_nondet_uint(), place = __VERIFIER_nondet_uint();
	__VERIFIER_assume(size > 0 && size <= 64 && place < 16);
#ifdef BROKEN
	unsigned char *table = malloc(16);
	if (!table)
		return 0;
	for (int i = 0; i < 16; i++)
		table[i] = i ^ 5;
	free(table);
#else
	unsigned char *table = calloc(size, 1);
#endif
	int is_large = table && table[place] > 100;
#ifndef BROKEN
	free(table);
#endif
	return is_large;
}
