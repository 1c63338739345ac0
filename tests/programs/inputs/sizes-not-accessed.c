// expect: verified
// broken: error kind=assertion

/* What accesses nothing is no error, however small the memory is: all sizes remain possible. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void)
{
	int n = __VERIFIER_nondet_int();
	__VERIFIER_assume(n >= 1 && n <= 100);
	char *memory = malloc(n), nothing[1];
	if (!memory)
		return 0;
	volatile size_t none = 0;
	memcpy(memory + 10, nothing, none);
	memset(memory + 20, 0, none);
	free(memory);
#ifdef BROKEN
	assert(n != 5);
#endif
}
