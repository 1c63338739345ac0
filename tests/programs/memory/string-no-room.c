// expect: error kind=out-of-bounds line=10
// environment: 6 main gets no arguments (--arg gives some)
// strcpy needs room for the terminating null.
#include <string.h>

int main(int argc, char **argv)
{
	char to[5], *from = "hello";
	if (argc > 0)
		strcpy(to, from);
	return to[0] == 'x';
}
