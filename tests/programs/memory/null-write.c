// expect: error kind=null-dereference line=7
#include <stdlib.h>

int main(void)
{
	char *p = calloc(0x7fffffffffffffff, 16);
	p[0] = 1;
	return 0;
}
