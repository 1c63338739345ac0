// expect: unknown
// flags: --max-work 2
// clang: -Wno-format
#include <stdio.h>

int main(void)
{
    unsigned n = 0;
    for (;;) {
        n = n * 5 + 7;
        if (n == 700000001)
            printf("%s\n", n);
    }
}
