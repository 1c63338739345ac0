// expect: nonterminating
#include <string.h>

int main(void)
{
    int i = 10;
    int *p = &i, *q;
    memcpy(&q, &p, sizeof p);
    while (i > 0) {
        i--;
        *q = 10;
    }
    return 0;
}
