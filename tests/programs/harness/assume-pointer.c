// expect: error kind=assertion line=11
// flags: --nondet 0..1
#include <assert.h>
#include <genmc.h>
static int x;
int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = n ? &x : 0;
    __VERIFIER_assume(p);
    assert(!n);
}
