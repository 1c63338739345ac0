// expect: verified
// _Exit runs no handlers.
#include <assert.h>
#include <stdlib.h>

static void handler(void)
{
	assert(0);
}

int main(void)
{
	atexit(handler);
	_Exit(0);
}
