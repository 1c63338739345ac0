// expect: verified
// flags: --signed-overflow
#include <limits.h>

int main(void)
{
	volatile unsigned x = UINT_MAX;
	return x + 1 != 0;
}
