// expect: verified
// Library functions that allocate for the caller.
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *a = strdup("one"), *b = strndup("twofold", 3);
	int same = strcmp(a, b);
	free(a);
	free(b);
	return same == 0;
}
