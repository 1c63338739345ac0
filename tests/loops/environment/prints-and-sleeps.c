// expect: terminating
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    for (unsigned i = 0; i < 3; i++) {
        if (printf("%u\n", i) < 0 || fflush(stdout))
            return 1;
        sleep(1);
    }
    return 0;
}
