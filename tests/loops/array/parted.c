// expect: terminating
// broken: nonterminating
// What is less than a pivot comes first; with -DBROKEN, the index stays after a swap.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[10];
    for (int k = 0; k < 10; k++)
        a[k] = __VERIFIER_nondet_int();
    int pivot = __VERIFIER_nondet_int();
    int last = 0, i = 0;
    while (i < 10) {
        if (a[i] < pivot) {
            int kept = a[i];
            a[i] = a[last];
            a[last] = kept;
            if (last < 9)
                last++;
#ifdef BROKEN
            continue;
#endif
        }
        i++;
    }
    return last;
}
