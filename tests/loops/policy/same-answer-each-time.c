// expect: terminating
#include <unistd.h>

int main(void)
{
    unsigned n = 0;
    while (access("file", 0) + 1u == n)
        n++;
    return 0;
}
