// expect: error kind=out-of-bounds line=8
#include <stdlib.h>

int main(void)
{
	int *p = calloc(10, sizeof *p);
	p = realloc(p, 3 * sizeof *p);
	int x = p[3];
	free(p);
	return x;
}
