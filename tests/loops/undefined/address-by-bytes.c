// expect: unknown
// flags: --max-work 2
// Each byte of the address is copied.
#include <string.h>

int main(void)
{
    char b[4];
    for (char *p = b;;) {
        char *next = p + 1, *copy;
        for (unsigned i = 0; i < sizeof next; i++)
            ((unsigned char *)&copy)[i] = ((unsigned char *)&next)[i];
        if (copy < b)
            return 0;
        p = copy;
    }
}
