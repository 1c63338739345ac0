// expect: terminating
#include <stdlib.h>
int main(void)
{
    for (int i = 0; i < 3; i++)
        setenv("A", "1", 1);
    return 0;
}
