// expect: terminating arithmetic=integer
// broken: nonterminating arithmetic=integer
// flags: --arithmetic integer
// Since 4s = (t + 1)^2, the condition says i <= n.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    long long n = __VERIFIER_nondet_int(), a = 0, s = 1, t = 1, i = 0;
    while (t * t - 4 * s + 2 * t + 1 + i <= n) {
        a = a + 1;
        t = t + 2;
        s = s + t;
#ifndef BROKEN
        i = i + 1;
#endif
    }
    return 0;
}
