// expect: verified
// Whether an address is used again is open, and stays as it was found.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	int *first = malloc(sizeof *first);
	free(first);
	int *second = malloc(sizeof *second);
	int same = first == second;
	assert((second == first) == same);
	free(second);
	int *third = malloc(sizeof *third);
	if (same)
		assert((third == first) == (third == second));
	else
		assert(!(third == first && third == second));
	free(third);
}
