// expect: verified
#include <assert.h>
#include <string.h>

int main(void)
{
	char a[10] = "abcdefghi";
	memmove(a + 2, a, 6);
	assert(strcmp(a, "ababcdefi") == 0);
	return 0;
}
