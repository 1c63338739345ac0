// expect: error kind=out-of-bounds line=15
// What a file preprocessed with _FORTIFY_SOURCE calls.
#include <assert.h>
#include <string.h>

char *__strcpy_chk(char *, const char *, size_t);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);

int main(void)
{
	char name[8], text[16];
	__strcpy_chk(name, "Ada", sizeof name);
	assert(__snprintf_chk(text, sizeof text, 1, sizeof text, "%s %d", name, 36) == 6);
	assert(strcmp(text, "Ada 36") == 0);
	__strcpy_chk(name, "Augusta Ada", sizeof name);
	return 0;
}
