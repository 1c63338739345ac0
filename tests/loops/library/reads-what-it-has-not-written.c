// expect: unknown
#include <unistd.h>
int main(void)
{
    int ends[2];
    char byte;
    if (pipe(ends))
        return 0;
    read(ends[0], &byte, 1);
    return 0;
}
