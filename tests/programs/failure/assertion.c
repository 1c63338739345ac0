// expect: verified
// broken: error kind=assertion line=9
#include <assert.h>

int main(void)
{
	int x = 2;
#ifdef BROKEN
	assert(x * x == 5);
#else
	assert(x * x == 4);
#endif
	return 0;
}
