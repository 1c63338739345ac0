// expect: nonterminating
// broken: terminating
// What each iteration allocates is more memory than there is; with -DBROKEN, a hundred do.
#include <stdlib.h>

int main(void)
{
    int rounds = 0;
    for (;;) {
        char *room = malloc(1 << 25);
        room[0] = 1;
#ifdef BROKEN
        if (++rounds == 100)
            break;
#endif
    }
    return 0;
}
