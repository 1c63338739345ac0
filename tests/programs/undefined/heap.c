// expect: verified
// broken: error kind=undefined-value line=15
#include <stdlib.h>

int main(void)
{
#ifdef BROKEN
	int *a = malloc(3 * sizeof *a);
	a[0] = a[1] = 0;
#else
	int *a = calloc(3, sizeof *a);
#endif
	int sum = a[0] + a[1] + a[2];
	free(a);
	if (sum > 0)
		return 1;
	return 0;
}
