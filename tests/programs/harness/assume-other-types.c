// expect: verified
// flags: --nondet 0..3
// Programs declare the functions of a verifier as they like; a condition holds if it is not zero.
#include <assert.h>
void __VERIFIER_assume(long long);
int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume((long long)n << 32);
    assert(n != 0);
}
