// expect: error kind=double-free line=8
#include <stdlib.h>

int main(void)
{
	char *p = malloc(4);
	free(p);
	p = realloc(p, 8);
	free(p);
	return 0;
}
