// expect: verified
// The library looks for a name that no file has: the program does not rely on which one.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char name[] = "/tmp/aXXXXXX";
    close(mkstemp(name));
    return 0;
}
