// expect: error kind=out-of-bounds line=7
// The size of the elements is wrong.
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	short s[4] = {4, 3, 2, 1};
	qsort(s, 4, sizeof *s, compare);
	return 0;
}
