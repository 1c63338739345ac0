// expect: error kind=memory-leak
#include <stdlib.h>

static char *p;

int main(void)
{
	p = malloc(1);
	p = malloc(2);
	free(p);
	return 0;
}
