// expect: terminating
// broken: nonterminating
// Two arrays are merged into a third one; with -DBROKEN, equal elements are left where they are.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int *a = calloc(n, sizeof *a), *all = malloc(2 * n * sizeof *all);
    if (!a || !all)
        return 0;
    int i = 0, j = 0, k = 0;
    while (i < n && j < n) {
        if (a[i] < a[j])
            all[k++] = a[i++];
#ifdef BROKEN
        else if (a[i] > a[j])
#else
        else
#endif
            all[k++] = a[j++];
    }
    return 0;
}
