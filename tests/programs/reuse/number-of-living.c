// expect: verified
// The number of a living allocation may serve as its address.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	int *first = malloc(sizeof *first);
	uintptr_t hidden = ~(uintptr_t)first;
	free(first);
	int *second = malloc(sizeof *second);
	*second = 1;
	if (hidden == ~(uintptr_t)second) {
		*(int *)~hidden = 2;
		assert(*second == 2);
		assert(first == second);
	} else {
		assert(*second == 1);
		assert(first != second);
	}
	free(second);
}
