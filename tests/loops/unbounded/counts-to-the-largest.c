// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// No integer is the largest.
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i <= n; i++) {
    }
    return 0;
}
