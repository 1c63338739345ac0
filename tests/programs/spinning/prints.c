// expect: verified
// Output is observed from outside.
#include <stdio.h>

int main(void)
{
	for (;;)
		puts("tick");
}
