// expect: terminating
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
    char byte;
    int file = open("file", O_RDONLY);
    for (int i = 0; i < 3; i++)
        read(file, &byte, 1);
    return 0;
}
