// expect: error kind=assertion line=7
// clang: -DN=3
#include <assert.h>

int main(void)
{
	assert(N != 3);
	return 0;
}
