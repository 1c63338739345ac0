// expect: verified
// Where the library keeps its exit handlers is nothing that the program leaks, however many there
// are.
#include <assert.h>
#include <stdlib.h>
static int called;
static void last(void)
{
    assert(called == 70);
}
static void next(void)
{
    ++called;
}
static void adds(void)
{
    if (++called < 5)
        atexit(adds);
}
int main(void)
{
    atexit(last);
    for (int i = 0; i < 65; ++i)
        assert(atexit(next) == 0);
    atexit(adds);
}
