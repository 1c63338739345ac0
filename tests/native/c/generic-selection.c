#include <stdio.h>

#define NAME(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", float: "float", double: "double", char *: "text", default: "other")

int main(void)
{
	float f = 1;
	char *s = 0;
	puts(NAME(1));
	puts(NAME(1u));
	puts(NAME(1L));
	puts(NAME(f));
	puts(NAME(f + 1.0));
	puts(NAME(s));
	puts(NAME(&f));
	return 0;
}
