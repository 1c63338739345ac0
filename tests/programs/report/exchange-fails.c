// expect: error kind=assertion line=10
// trace: compare-exchange of x fails: it is 5, not 1
// A compare-exchange that fails writes nothing.
#include <assert.h>
#include <stdatomic.h>
static atomic_int x = 5;
int main(void)
{
    int expected = 1;
    assert(atomic_compare_exchange_strong(&x, &expected, 9));
}
