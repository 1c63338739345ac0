// expect: nonterminating
// broken: terminating
// Each iteration fills more memory; with -DBROKEN, only the first ten do.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int rounds = 0;
    for (;;) {
        char *room = malloc(100000);
        memset(room, 1, 100000);
#ifdef BROKEN
        if (++rounds == 10)
            break;
#endif
    }
    return 0;
}
