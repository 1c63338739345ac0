// expect: error kind=out-of-bounds line=10
// Four bytes are read where only two are left.
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *p = calloc(6, 1);
	int *q = (int *)(p + 4);
	int x = *q;
	free(p);
	return x;
}
