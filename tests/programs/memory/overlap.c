// expect: verified
// broken: error kind=out-of-bounds|invalid-call|undefined-value|invalid-pointer line=12
// With -DBROKEN: memcpy must not be given ranges that overlap.
#include <assert.h>
#include <string.h>

int main(void)
{
	char a[10] = "abcdefghi";
#ifdef BROKEN
	size_t n = 6;
	memcpy(a + 2, a, n);
	return a[0] != 'a';
#else
	memmove(a + 2, a, 6);
	assert(strcmp(a, "ababcdefi") == 0);
	return 0;
#endif
}
