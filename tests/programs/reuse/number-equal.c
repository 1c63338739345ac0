// expect: error kind=assertion line=13
// The number of a freed address may be that of the next allocation.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	int *first = malloc(sizeof *first);
	uintptr_t hidden = ~(uintptr_t)first;
	free(first);
	int *second = malloc(sizeof *second);
	assert(~(uintptr_t)second != hidden);
	free(second);
}
