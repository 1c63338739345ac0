// expect: terminating
// broken: nonterminating
#include <string.h>

int main(void)
{
    int a[3] = {1, 2, 3}, b[3];
    while (a[0] == 1) {
        memcpy(b, a, sizeof a);
        b[0] = 2;
#ifdef BROKEN
        memcpy(a + 1, b + 1, 2 * sizeof *a);
#else
        memcpy(a, b, sizeof a);
#endif
    }
    return 0;
}
