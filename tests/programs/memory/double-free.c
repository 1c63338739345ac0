// expect: error kind=double-free line=8
#include <stdlib.h>

int main(void)
{
	char *p = malloc(1), *q = p;
	free(p);
	free(q);
	return 0;
}
