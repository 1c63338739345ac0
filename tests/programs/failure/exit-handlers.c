// expect: error kind=assertion line=10
// Handlers run in reverse order, after main.
#include <assert.h>
#include <stdlib.h>

static int n;

static void first(void)
{
	assert(n == 1);
}

static void second(void)
{
	n = 2;
}

int main(void)
{
	atexit(first);
	atexit(second);
	n = 1;
	return 0;
}
