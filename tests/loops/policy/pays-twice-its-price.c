// expect: nonterminating condition=none
// broken: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 5, k = __VERIFIER_nondet_int();
    if (k < 1 || k > 10000)
        return 0;
    while (x > 0 && x < 100000) {
        int d = __VERIFIER_nondet_int();
#ifdef BROKEN
        if (d > k || d < 0)
            break;
#endif
        if (d < 0 || d > 100000)
            break;
        x += d;
        x -= 2 * k;
    }
    return 0;
}
