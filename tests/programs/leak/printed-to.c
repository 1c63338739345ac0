// expect: error kind=memory-leak line=8
// broken: verified
// To print into memory leaves no trace of its address: it is leaked.
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	char *text = malloc(8);
	snprintf(text, 8, "%d", 42);
#ifdef BROKEN
	free(text);
#endif
	return 0;
}
