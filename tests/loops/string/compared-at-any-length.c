// expect: terminating
// broken: nonterminating
// Two texts of any length are compared; with -DBROKEN, the comparison stays at a common A.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n < 1 || m < 1)
        return 0;
    char *a = __builtin_alloca(n), *b = __builtin_alloca(m);
#ifdef BROKEN
    a[0] = b[0] = 'A';
#endif
    a[n - 1] = b[m - 1] = 0;
    while (*a == *b) {
        if (!*a)
            return 0;
#ifdef BROKEN
        if (*a == 'A')
            continue;
#endif
        a++;
        b++;
    }
    return 1;
}
