#include <stdio.h>
#include <string.h>
#include <uchar.h>

int main(void)
{
	const char *s = u8"größe €";
	char16_t a[] = u"\u20ac";
	char32_t b[] = U"\U0001F600";
	printf("%s %zu %x %x\n", s, strlen(s), a[0], (unsigned)b[0]);
	printf("%d %s\n", '\x41', "a" "b" "\103");
	return 0;
}
