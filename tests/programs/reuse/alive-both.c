// expect: verified
// Allocations that exist at the same time have different addresses.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	int *freed = malloc(sizeof *freed);
	int *first = malloc(sizeof *first);
	free(freed);
	int *second = malloc(sizeof *second);
	int *third = malloc(sizeof *third);
	assert(first != second && first != freed && second != third);
	assert(freed != second || freed != third);
	free(first);
	free(second);
	free(third);
}
