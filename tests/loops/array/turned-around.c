// expect: terminating
// broken: nonterminating
// Two indices meet while an array is reversed; with -DBROKEN, they stop next to each other.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[50];
    for (int k = 0; k < 50; k++)
        a[k] = __VERIFIER_nondet_int();
    int i = 0, j = 49;
    while (i < j) {
        int kept = a[i];
        a[i] = a[j];
        a[j] = kept;
#ifdef BROKEN
        if (j - i > 1)
#endif
        {
            i++;
            j--;
        }
    }
    return 0;
}
