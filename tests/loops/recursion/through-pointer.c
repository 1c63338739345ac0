// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

static void f(int *p)
{
    if (*p > 100) {
        *p = *p ^ 1;
        f(p);
    }
}

int main(void)
{
    int k = __VERIFIER_nondet_int();
    f(&k);
    return 0;
}
