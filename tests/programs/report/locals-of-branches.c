// expect: error kind=assertion line=27
// flags: --full-trace
// trace: sets c to 1
// trace: sets a to 1
// trace: sets b to 5
// trace: sets d to 5
// trace: sets e to 1
// trace: sets f to 1
// trace: sets a to 1
// Values that are only copied on are shown where the variable gets them.
#include <assert.h>
#include <impasse.h>
static int same(int x) { return x; }
int main(void)
{
    int c = impasse_choose(2);
    int a = same(1);
    int b = same(a + 4);
    if (!c)
        b = 7;
    int d = b;
    for (int i = 0; i < 2; i++) {
        int e = same(i), f = e;
        a = f;
    }
    // In the other branch the value is another one.
    assert(d != 5);
}
