// expect: terminating
// broken: nonterminating
// With -DBROKEN: Two that are equal change places forever.
#ifdef BROKEN
extern int __VERIFIER_nondet_int(void);

#endif
int main(void)
{
#ifdef BROKEN
    int a[3];
#else
    int a[4] = {3, 1, 4, 2};
#endif
    int again = 1;
#ifdef BROKEN
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_int();
#endif
    while (again) {
        again = 0;
#ifdef BROKEN
        for (int i = 0; i + 1 < 3; i++)
            if (a[i] >= a[i + 1]) {
#else
        for (int i = 0; i + 1 < 4; i++)
            if (a[i] > a[i + 1]) {
#endif
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                again = 1;
            }
    }
    return 0;
}
