// impasse loops --main bsearch examples/loops/binary-search.c The sum of lo and hi wraps around:
// with lo = 1 and the greatest hi, mid is 0 and lo becomes 1 again.
int bsearch(int a[], int k, unsigned int lo, unsigned int hi)
{
    while (lo < hi) {
        unsigned int mid = (lo + hi) / 2;
        if (a[mid] < k)
            lo = mid + 1;
        else if (a[mid] > k)
            hi = mid - 1;
        else
            return mid;
    }
    return -1;
}
