// expect: error kind=out-of-bounds|invalid-call|undefined-value|invalid-pointer line=9
// memcpy must not be given ranges that overlap.
#include <string.h>

int main(void)
{
	char a[10] = "abcdefghi";
	size_t n = 6;
	memcpy(a + 2, a, n);
	return a[0] != 'a';
}
