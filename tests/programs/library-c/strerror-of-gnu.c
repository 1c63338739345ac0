// expect: verified
// broken: error kind=assertion line=20
// With _GNU_SOURCE, as always in C++, strerror_r returns the text.
#ifndef BROKEN
#define _GNU_SOURCE
#endif
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

int main(void)
{
	char text[64] = "";
#ifdef BROKEN
	intptr_t result = strerror_r(EAGAIN, text, sizeof text);
#else
	const char *result = strerror_r(EAGAIN, text, sizeof text);
#endif
	assert((intptr_t)result != 0 && (const char *)result != text + 1);
#ifndef BROKEN
	assert(!strcmp(result, strerror(EAGAIN)));
#endif
	return 0;
}
