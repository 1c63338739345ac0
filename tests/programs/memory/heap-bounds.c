// expect: verified
// broken: error kind=out-of-bounds line=11
// The last element and the address one past it are both fine. With -DBROKEN: One element too many.
#include <stdlib.h>

int main(void)
{
	int *a = malloc(4 * sizeof *a);
#ifdef BROKEN
	for (int i = 0; i <= 4; i++)
		a[i] = i;
#else
	int *end = a + 4;
	for (int *p = a; p != end; p++)
		*p = (int)(p - a);
	int last = a[3];
#endif
	free(a);
#ifdef BROKEN
	return 0;
#else
	return last != 3;
#endif
}
