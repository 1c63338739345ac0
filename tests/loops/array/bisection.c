// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[8] = {1, 3, 5, 7, 9, 11, 13, 15};
    int key = __VERIFIER_nondet_int();
    unsigned low = 0, high = 8;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (a[middle] < key)
#ifdef BROKEN
            low = middle;
#else
            low = middle + 1;
#endif
        else
            high = middle;
    }
    return low;
}
