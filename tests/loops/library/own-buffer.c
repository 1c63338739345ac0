// expect: unknown
#include <stdio.h>
static char buffer[64];
int main(void)
{
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    buffer[0] = 0;
    while (buffer[0] < 3) {
        buffer[0]++;
        putchar(0);
        fflush(stdout);
    }
    return 0;
}
