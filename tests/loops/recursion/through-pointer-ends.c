// expect: terminating
extern int __VERIFIER_nondet_int(void);

static void f(int *p)
{
    if (*p > 0) {
        *p = *p - 1;
        f(p);
    }
}

int main(void)
{
    int k = __VERIFIER_nondet_int() & 15;
    f(&k);
    return 0;
}
