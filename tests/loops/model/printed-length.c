// expect: nonterminating
// ilp32: terminating
#include <stdio.h>

int main(void)
{
    char text[40];
    int length = snprintf(text, sizeof text, "%lu", ~0ul);
    while (length > 15) {
        text[0] ^= 1;
    }
    return 0;
}
