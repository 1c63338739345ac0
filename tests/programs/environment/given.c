// expect: verified
// flags: --arg fast
// The arguments are given: these are no assumption of Impasse.
#include <assert.h>
#include <string.h>

int main(int count, char **arguments)
{
    assert(count == 2 && !strcmp(arguments[1], "fast"));
    return 0;
}
