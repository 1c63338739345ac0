// expect: verified
// Output is observed from outside.
#include <stdio.h>

int main(void)
{
	for (;;)
		puts("a line of sixty-three characters, and one more that ends a line");
}
