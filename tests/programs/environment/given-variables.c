// expect: verified
// flags: --env MODE=slow --env MODE=fast --env EMPTY= --env TERMS=a=b
// The variables are given: they are no assumption of Impasse. The last one of a name counts.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(int count, char **arguments, char **variables)
{
    assert(variables == environ);
    assert(!strcmp(getenv("MODE"), "fast"));
    assert(!*getenv("EMPTY") && !strcmp(getenv("TERMS"), "a=b"));
    int found = 0;
    while (environ[found])
        found++;
    assert(found == 3);
    setenv("MODE", "slow", 1);
    assert(!strcmp(getenv("MODE"), "slow"));
    return 0;
}
