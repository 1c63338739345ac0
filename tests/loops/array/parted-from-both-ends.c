// expect: terminating
// broken: nonterminating
// Two indices meet at a pivot; with -DBROKEN, they stay where they have swapped.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[30];
    for (int k = 0; k < 30; k++)
        a[k] = __VERIFIER_nondet_int();
    int pivot = __VERIFIER_nondet_int();
    int i = 0, j = 29;
    while (i < j) {
        if (a[i] < pivot) {
            i++;
        } else if (a[j] > pivot) {
            j--;
        } else {
            int kept = a[i];
            a[i] = a[j];
            a[j] = kept;
#ifndef BROKEN
            i++;
            j--;
#endif
        }
    }
    return i;
}
