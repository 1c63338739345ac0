// expect: terminating
#include <stdio.h>
static char buffer[64];
int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    setbuf(stderr, NULL);
    buffer[0] = 0;
    while (buffer[0] < 3) {
        buffer[0]++;
        putchar(0);
    }
    return 0;
}
