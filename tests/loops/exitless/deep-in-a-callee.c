// expect: terminating
#include <stdio.h>
#include <stdlib.h>

static void stop(unsigned n)
{
    if (n == 30)
        exit(0);
}

static void check(unsigned n)
{
    printf("%u\n", n);
    if (n % 2 == 0)
        stop(n);
}

int main(void)
{
    for (unsigned n = 0;; n++)
        check(n);
}
