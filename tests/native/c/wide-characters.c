#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(void)
{
	wchar_t w[32] = L"wide";
	wcscat(w, L" text");
	printf("%zu %d %d\n", wcslen(w), wcscmp(w, L"wide") > 0, (int)(wcschr(w, L't') - w));
	char b[32];
	printf("%zu %s\n", wcstombs(b, w, sizeof b), b);
	swprintf(w, 32, L"%d-%ls", 7, L"x");
	wcstombs(b, w, sizeof b);
	printf("%s %d %ld\n", b, iswalpha(L'q') != 0, wcstol(L"123", 0, 10));
	return 0;
}
