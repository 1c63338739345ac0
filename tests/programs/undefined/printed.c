// expect: error kind=undefined-value line=8
// What is printed depends on it.
#include <stdio.h>

int main(void)
{
	int x, *p = &x;
	printf("%d\n", *p);
	return 0;
}
