// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

static void f(int *p)
{
#ifdef BROKEN
    if (*p > 100) {
        *p = *p ^ 1;
#else
    if (*p > 0) {
        *p = *p - 1;
#endif
        f(p);
    }
}

int main(void)
{
#ifdef BROKEN
    int k = __VERIFIER_nondet_int();
#else
    int k = __VERIFIER_nondet_int() & 15;
#endif
    f(&k);
    return 0;
}
