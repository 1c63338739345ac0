// expect: error kind=use-after-free line=13
// A pointer to what was freed is no pointer to what has its address now.
#include <stdlib.h>

int main(void)
{
	int *first = malloc(sizeof *first);
	free(first);
	int *second = malloc(sizeof *second);
	if (second)
		*second = 1;
	if (first == second)
		*first = 2;
	free(second);
}
