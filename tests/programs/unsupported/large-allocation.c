// expect: inconclusive reason="an allocation of more than 1 GiB" line=8
// broken: inconclusive reason="an allocation of more than 1 GiB" line=10
// There may be so much memory.
#include <stdlib.h>
int main(void)
{
#ifndef BROKEN
	void *p = malloc((size_t)1 << 31);
#else
	void *p = calloc((size_t)1 << 20, 1 << 20);
#endif
	if (p)
		abort();
}
