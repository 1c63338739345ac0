// expect: nonterminating condition=overflow
// broken: terminating
// slow: 11 s
// The input makes up for the counter, so the sum stays; without negative inputs it grows.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 || x > 100 || y < 0 || y > 100)
        return 0;
    while (x + y < 1000) {
        int d = __VERIFIER_nondet_int();
#ifdef BROKEN
        if (d < 0 || d > 10)
            break;
#else
        if (d < -10 || d > 10)
            break;
#endif
        x += d;
        y++;
        if (x + y < 0)
            break;
    }
    return 0;
}
