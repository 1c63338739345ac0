// expect: verified
// environment: 17 the file "/other" does not exist
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	FILE *f = fopen("/note", "w");
	assert(f);
	fputs("hello", f);
	fclose(f);
	char b[10] = {0};
	f = fopen("/note", "r");
	assert(fread(b, 1, sizeof b, f) == 5 && !strcmp(b, "hello"));
	fclose(f);
	assert(fopen("/other", "r") == NULL);
	return 0;
}
