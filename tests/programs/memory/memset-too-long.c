// expect: error kind=out-of-bounds line=8
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *p = malloc(10);
	memset(p, 0, 11);
	free(p);
	return 0;
}
