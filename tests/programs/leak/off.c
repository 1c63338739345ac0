// expect: verified
// flags: --leaks=off
#include <stdlib.h>

int main(void)
{
	malloc(3);
	return 0;
}
