// expect: verified
// A size that no object can have gives null.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	size_t huge = SIZE_MAX - 8;
	void *p = malloc(huge);
	assert(p == NULL);
	assert(calloc(huge, 16) == NULL);
	return 0;
}
