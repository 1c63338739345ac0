// expect: error kind=invalid-free line=8
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *s = strlen("abc") == 3 ? (char *)"static" : strdup("dynamic");
	free(s);
	return 0;
}
