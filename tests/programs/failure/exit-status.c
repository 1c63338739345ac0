// expect: verified
// flags: --exit-code any
// Which status a program ends with is its own business.
#include <stdlib.h>

int main(void)
{
	exit(3);
}
