// expect: verified
// flags: --malloc-fail
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
	if (p && q)
		*p = *q = 1;
	free(p);
	free(q);
	return 0;
}
