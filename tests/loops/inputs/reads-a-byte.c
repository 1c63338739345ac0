// expect: terminating
#include <unistd.h>

int main(void)
{
    char c;
    return (int)read(0, &c, 1);
}
