// expect: error kind=assertion line=8
// flags: --nondet -2..3
#include <assert.h>
int __VERIFIER_nondet_short();
int main(void)
{
    int n = __VERIFIER_nondet_short();
    assert(n != -2);
}
