// expect: verified
// broken: error kind=assertion line=24
// Files with a temporary name are there whatever the time is, and each has a name of its own.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char one[] = "/tmp/aXXXXXX", two[] = "/tmp/aXXXXXX";
    int first = mkstemp(one);
    int second = mkstemp(two);
    if (first >= 0 && second >= 0)
        assert(strcmp(one, two));
#ifdef BROKEN
    if (first >= 0)
        unlink(one);
    char three[] = "/tmp/aXXXXXX";
    int third = mkstemp(three);
    // A name may be given again once it is free.
    if (first >= 0 && third >= 0)
        assert(strcmp(one, three));
#endif
    if (first >= 0) {
        close(first);
        unlink(one);
    }
    if (second >= 0) {
        close(second);
        unlink(two);
    }
    FILE *nameless = tmpfile();
    if (nameless)
        fclose(nameless);
    char names[2][L_tmpnam];
    if (tmpnam(names[0]) && tmpnam(names[1]))
        assert(strcmp(names[0], names[1]));
}
