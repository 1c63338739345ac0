// expect: error kind=null-dereference line=8
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *s = getenv("NOT_SET");
	return (int)strlen(s);
}
