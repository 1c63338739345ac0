// expect: error kind=invalid-free line=7
#include <stdlib.h>

int main(void)
{
	int x = 0, *p = &x;
	free(p);
	return x;
}
