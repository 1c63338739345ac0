// expect: verified
#include <string.h>

int main(void)
{
	char to[6];
	strcpy(to, "hello");
	return strlen(to) != 5;
}
