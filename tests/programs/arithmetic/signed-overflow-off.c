// expect: verified
// Off by default.
#include <limits.h>

int main(void)
{
	volatile int x = INT_MAX;
	int y = x + 1;
	return y > 0;
}
