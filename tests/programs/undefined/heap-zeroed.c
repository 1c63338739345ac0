// expect: verified
#include <stdlib.h>

int main(void)
{
	int *a = calloc(3, sizeof *a);
	int sum = a[0] + a[1] + a[2];
	free(a);
	if (sum > 0)
		return 1;
	return 0;
}
