// expect: error kind=division-by-zero line=8
// INT_MIN / -1 has no value.
#include <limits.h>

int main(void)
{
	volatile int a = INT_MIN, b = -1;
	return a / b;
}
