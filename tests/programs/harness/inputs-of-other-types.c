// expect: verified
// flags: --nondet -2..3
#include <assert.h>
int __VERIFIER_nondet_bool();
int __VERIFIER_nondet_ushort();
long __VERIFIER_nondet_char();
char __VERIFIER_nondet_int();
int main(void)
{
    int b = __VERIFIER_nondet_bool();
    assert(b == 0 || b == 1);
    int u = __VERIFIER_nondet_ushort();
    assert(u >= 0 && u < 65536);
    long c = __VERIFIER_nondet_char();
    assert(c >= -128 && c < 128);
    char n = __VERIFIER_nondet_int();
    assert(n >= -2 && n <= 3);
}
