// expect: error kind=null-dereference line=9
// environment: 8 getenv("NOT_SET") returns null
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char *s = getenv("NOT_SET");
	return (int)strlen(s);
}
