// expect: nonterminating line=6
// flags: --main bsearch
// Figure 1: with lo = 1 and hi the greatest number, their sum wraps to 0.
int bsearch(int a[], int k, unsigned int lo, unsigned int hi) {
    unsigned int mid;
    while (lo < hi) {
        mid = (lo + hi) / 2;
        if (a[mid] < k) {
            lo = mid + 1;
        } else if (a[mid] > k) {
            hi = mid - 1;
        } else {
            return mid;
        }
    }
    return -1;
}
