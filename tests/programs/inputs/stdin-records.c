// expect: verified
// broken: error kind=out-of-bounds line=28
// flags: --stdin-bytes 8
// A parser of records in eight bytes of standard input, whatever they are: a type, a length, and as many bytes. With
// -DBROKEN: A name that fills its buffer leaves no room for the final zero.
#include <stdio.h>
#include <string.h>

enum { END, NAME, COLOUR };

static char name[5];
static unsigned colour;

static int parse(const unsigned char *text, size_t n)
{
	for (size_t at = 0; at + 2 <= n && text[at] != END;) {
		int type = text[at];
		size_t length = text[at + 1];
		at += 2;
#ifdef BROKEN
		if (length > n - at || length > sizeof name)
#else
		if (length > n - at || length > sizeof name - 1)
#endif
			return -1;
		if (type == NAME) {
			memcpy(name, text + at, length);
			name[length] = 0;
		} else if (type == COLOUR && length == 2) {
			colour = text[at] << 8 | text[at + 1];
		}
		at += length;
	}
	return 0;
}

int main(void)
{
	unsigned char text[8];
	size_t n = fread(text, 1, sizeof text, stdin);
	parse(text, n);
	return 0;
}
