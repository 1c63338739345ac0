// expect: terminating
// broken: nonterminating
// The place of a number in a sorted array; with -DBROKEN, the lower end may stay where it is.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    static const int a[16] = {1, 3, 4, 8, 10, 11, 17, 20, 25, 26, 30, 41, 45, 50, 70, 99};
    int wanted = __VERIFIER_nondet_int();
    int lo = 0, hi = 16;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] < wanted)
#ifdef BROKEN
            lo = mid;
#else
            lo = mid + 1;
#endif
        else
            hi = mid;
    }
    return lo;
}
