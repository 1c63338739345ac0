// expect: error kind=assertion line=11
#include <assert.h>
#include <stddef.h>

void __VERIFIER_nondet_memory(void *, size_t);

int main(void)
{
	struct { unsigned char low, high; } pair;
	__VERIFIER_nondet_memory(&pair, 1);
	assert(pair.low != 200);
	return 0;
}
