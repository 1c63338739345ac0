// expect: error kind=assertion line=28
// flags: --full-trace
// trace: sets n to 3
// trace: sets sum to 0
// trace: sets i to 0
// trace: sets i to 2
// trace: sets sum to 3
// trace: sets i to 3
// trace: sets a to 3
// trace: sets n to 4
// trace: sets b to 6
// trace: writes c: 0 becomes 3
// trace: writes c: 3 becomes 9
#include <assert.h>
static int sum_below(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}
static void add(int *to, int value) { *to += value; }
int main(void)
{
    int a = sum_below(3), b = sum_below(4), c = 0;
    add(&c, a);
    add(&c, b);
    assert(c == 10);
}
