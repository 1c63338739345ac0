// expect: verified
// broken: error kind=null-dereference line=10
// flags: --malloc-fail
#include <stdlib.h>

int main(void)
{
#ifdef BROKEN
	int *p = malloc(sizeof *p);
	*p = 1;
#else
	int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
	if (p && q)
		*p = *q = 1;
#endif
	free(p);
#ifndef BROKEN
	free(q);
#endif
	return 0;
}
