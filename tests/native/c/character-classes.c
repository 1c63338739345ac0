#include <ctype.h>
#include <stdio.h>

int main(void)
{
	for (int c = 0; c < 128; c++)
		printf("%d%d%d%d%d%d%d%d%d%d %d %d\n", !!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c), !!isupper(c), !!islower(c),
		       !!ispunct(c), !!iscntrl(c), !!isxdigit(c), !!isprint(c), toupper(c), tolower(c));
	return 0;
}
