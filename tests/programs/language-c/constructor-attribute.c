// expect: verified
#include <assert.h>

static int n;

__attribute__((constructor(101))) static void first(void) { n = 1; }
__attribute__((constructor(102))) static void second(void) { n = n * 10 + 2; }

int main(void)
{
	assert(n == 12);
	return 0;
}
