// expect: unknown
#include <fcntl.h>
#include <sys/file.h>
int main(void)
{
    int first = open("file", O_RDONLY), second = open("file", O_RDONLY);
    flock(first, LOCK_EX);
    flock(second, LOCK_EX);
    return 0;
}
