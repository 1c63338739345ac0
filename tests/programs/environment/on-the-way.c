// expect: error kind=assertion line=22
// environment: 21 getenv("MODE") returns null
// What is asked elsewhere has no part in the error.
#include <assert.h>
#include <impasse.h>
#include <stdio.h>
#include <stdlib.h>

static int elsewhere(void)
{
    return fopen("settings", "r") != 0;
}

int main(void)
{
    static int value = 1;
    if (impasse_choose(2) == 1)
        return elsewhere();
    if (impasse_choose(2) == 1)
        return 0;
    const char *mode = getenv("MODE");
    assert(mode || !value);
    return 0;
}
