// expect: error kind=out-of-bounds line=9
// One element too many.
#include <stdlib.h>

int main(void)
{
	int *a = malloc(4 * sizeof *a);
	for (int i = 0; i <= 4; i++)
		a[i] = i;
	free(a);
	return 0;
}
