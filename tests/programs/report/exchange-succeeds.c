// expect: error kind=assertion line=11
// trace: compare-exchange of x succeeds: 5 becomes 9
// trace: compare-exchange of x succeeds: 9 becomes 9
#include <assert.h>
#include <stdatomic.h>
static atomic_int x = 5;
int main(void)
{
    int five = 5, nine = 9;
    atomic_compare_exchange_strong(&x, &five, 9);
    assert(!atomic_compare_exchange_strong(&x, &nine, 9));
}
