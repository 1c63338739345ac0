// expect: terminating
#include <stdlib.h>

int main(void)
{
    unsigned n = 0;
    while (1) {
        n++;
        if (n == 5000)
            abort();
    }
}
