// expect: terminating
#include <string.h>

int main(void)
{
    int a[3] = {1, 2, 3}, b[3];
    while (a[0] == 1) {
        memcpy(b, a, sizeof a);
        b[0] = 2;
        memcpy(a, b, sizeof a);
    }
    return 0;
}
