// expect: error kind=null-dereference line=8
// flags: --malloc-fail
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p);
	*p = 1;
	free(p);
	return 0;
}
