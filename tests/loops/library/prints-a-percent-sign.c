// expect: terminating
#include <stdio.h>
int main(void)
{
    int i = 0;
    while (i < 3) {
        i++;
        printf("%d%%n %s\n", i, "%n");
    }
    return 0;
}
