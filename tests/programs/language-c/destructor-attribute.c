// expect: error kind=assertion line=8
#include <assert.h>

static int n;

__attribute__((destructor)) static void last(void)
{
	assert(n == 0);
}

int main(void)
{
	n = 1;
	return 0;
}
