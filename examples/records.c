/* A parser of records in standard input: a type, a length, and as many bytes. It forgets the final zero of a name:
 * ./impasse check --stdin-bytes 8 examples/records.c */
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
        if (length > n - at || length > sizeof name)
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
    if (parse(text, n) == 0)
        printf("%s has the colour %04x\n", name, colour);
    return 0;
}
