// expect: terminating
#include <stdio.h>
int main(int count, char **arguments)
{
    int i = 0;
    while (i < 3) {
        i++;
        printf(arguments[count - 1], i);
    }
    return 0;
}
