// expect: error kind=out-of-bounds line=7
#include <string.h>

int main(void)
{
	char b[3] = {'a', 'b', 'c'};
	return (int)strlen(b);
}
