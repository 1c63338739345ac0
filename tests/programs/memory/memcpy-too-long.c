// expect: error kind=out-of-bounds line=8
#include <string.h>

int main(void)
{
	char a[8] = "abcdefg", b[4];
	size_t n = sizeof a;
	memcpy(b, a, n);
	return b[0];
}
