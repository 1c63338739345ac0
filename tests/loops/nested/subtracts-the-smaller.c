// expect: terminating
// broken: nonterminating
// Each loop inside keeps one number positive because the other one is; with -DBROKEN, one may be
// zero.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
#ifdef BROKEN
    if (x < 0 || y < 0)
#else
    if (x <= 0 || y <= 0)
#endif
        return 0;
    while (x != y) {
        while (x > y)
            x -= y;
        while (y > x)
            y -= x;
    }
    return x;
}
