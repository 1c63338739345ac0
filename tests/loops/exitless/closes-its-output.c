// expect: unknown
// flags: --max-work 2
#include <stdio.h>

int main(void)
{
    unsigned n = 0;
    fclose(stdout);
    for (;;) {
        n = n * 5 + 7;
        if (n % 1000003 == 5)
            printf("%u\n", n);
    }
}
