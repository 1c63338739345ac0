// expect: error kind=assertion line=13
// The same where the program has seen the number of the address.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	char *small = malloc(1);
	uintptr_t hidden = ~(uintptr_t)small;
	char *large = realloc(small, 2);
	uintptr_t other = ~(uintptr_t)large;
	assert(hidden != other);
	free(large);
}
