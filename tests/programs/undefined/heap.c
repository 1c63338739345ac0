// expect: error kind=undefined-value line=10
#include <stdlib.h>

int main(void)
{
	int *a = malloc(3 * sizeof *a);
	a[0] = a[1] = 0;
	int sum = a[0] + a[1] + a[2];
	free(a);
	if (sum > 0)
		return 1;
	return 0;
}
