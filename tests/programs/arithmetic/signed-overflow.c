// expect: error kind=signed-overflow line=8
// flags: --signed-overflow
#include <limits.h>

int main(void)
{
	volatile int x = INT_MAX;
	int y = x + 1;
	return y > 0;
}
