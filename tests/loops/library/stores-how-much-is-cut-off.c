// expect: nonterminating
#include <stdio.h>
static int length;
int main(void)
{
    char text[8];
    while (length < 3) {
        length++;
        snprintf(text, sizeof text, "%hhn", (signed char *)&length);
    }
    return 0;
}
