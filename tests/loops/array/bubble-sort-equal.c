// expect: nonterminating
// Two that are equal change places forever.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[3];
    int again = 1;
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_int();
    while (again) {
        again = 0;
        for (int i = 0; i + 1 < 3; i++)
            if (a[i] >= a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                again = 1;
            }
    }
    return 0;
}
