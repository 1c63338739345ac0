// expect: error kind=constant-write line=7
#include <string.h>

int main(void)
{
	const char *s = "password";
	memset((char *)s, 0, strlen(s));
	return 0;
}
