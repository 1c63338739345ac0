// expect: verified
// The library looks for a name that no file has: which one it is, nobody relies on.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char name[] = "/tmp/aXXXXXX";
    close(mkstemp(name));
    return 0;
}
