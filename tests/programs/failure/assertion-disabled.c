// expect: verified
// clang: -DNDEBUG
#include <assert.h>

int main(void)
{
	assert(0);
	return 0;
}
