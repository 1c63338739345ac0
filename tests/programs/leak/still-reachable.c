// expect: verified
// A global variable still refers to it at exit.
#include <stdlib.h>

static int *cache;

int main(void)
{
	cache = malloc(4 * sizeof *cache);
	cache[0] = 1;
	return 0;
}
