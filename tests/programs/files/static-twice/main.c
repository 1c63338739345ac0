// expect: verified
// Each file has its own static variable of the same name.
#include <assert.h>

static int n = 1;
int other(void);

int main(void)
{
	assert(n + other() == 3);
	return 0;
}
