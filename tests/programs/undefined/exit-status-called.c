// expect: error kind=undefined-value line=7
#include <stdlib.h>

int main(void)
{
	int x, *p = &x;
	exit(*p);
}
