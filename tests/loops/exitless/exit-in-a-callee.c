// expect: terminating
#include <stdlib.h>

static void check(unsigned n)
{
    if (n > 5000)
        exit(1);
}

int main(void)
{
    unsigned n = 0;
    while (1) {
        n++;
        check(n);
    }
}
