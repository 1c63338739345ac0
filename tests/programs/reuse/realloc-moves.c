// expect: error kind=assertion line=12
// An allocation that grows may move.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	char *small = malloc(1);
	char *large = realloc(small, 2);
	if (!large)
		return 0;
	assert(large == small);
	free(large);
}
