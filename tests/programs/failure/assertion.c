// expect: error kind=assertion line=7
#include <assert.h>

int main(void)
{
	int x = 2;
	assert(x * x == 5);
	return 0;
}
