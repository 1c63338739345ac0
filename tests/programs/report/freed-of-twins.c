// expect: error kind=use-after-free line=17 message="long#2 (freed-of-twins.c:9) after it was freed by
//     the main thread at"
// trace: frees long#1
// trace: frees long#2
// Of objects that are allocated in one place, the report says which.
#include <stdlib.h>
static long *make(void)
{
    return calloc(1, sizeof(long));
}
int main(void)
{
    long *first = make(), *second = make(), *third = make();
    free(first);
    free(second);
    long n = *third;
    n += *second;
    free(third);
    return n;
}
