// expect: verified
// flags: --address-reuse off
// The second allocation may have the address that the first one had.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	int *first = malloc(sizeof *first);
	free(first);
	int *second = malloc(sizeof *second);
	free(second);
	assert((uintptr_t)first != (uintptr_t)second);
}
