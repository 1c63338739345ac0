// expect: error kind=signed-overflow line=8
// flags: --signed-overflow
#include <limits.h>

int main(void)
{
	volatile int x = INT_MIN;
	return -x > 0;
}
