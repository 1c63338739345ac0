// expect: verified
// The last element and the address one past it are both fine.
#include <stdlib.h>

int main(void)
{
	int *a = malloc(4 * sizeof *a);
	int *end = a + 4;
	for (int *p = a; p != end; p++)
		*p = (int)(p - a);
	int last = a[3];
	free(a);
	return last != 3;
}
