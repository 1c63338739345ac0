// expect: error kind=use-after-free line=8
#include <stdio.h>

int main(void)
{
	FILE *f = fopen("/note", "w");
	fclose(f);
	fputs("late", f);
	return 0;
}
