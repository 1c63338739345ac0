// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000 || y < 1 || y > 1000)
        return 0;
    while (x >= 0) {
#ifdef BROKEN
        x = x + y; y = -y;
#else
        x = x - y; y = y > 1 ? y - 1 : 1;
#endif
    }
    return 0;
}
