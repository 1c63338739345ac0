// expect: verified
// broken: error kind=use-after-return line=12
// Each iteration has a variable of its own: a pointer to that of the one before is stale.
int main(void)
{
    int *kept = 0, last = 0;
    for (int i = 0; i < 3; i++) {
        int number = i;
#ifdef BROKEN
        if (i == 2) {
            last = 1;
            last = *kept - last;
        }
#endif
        kept = &number;
        last = *kept - i;
    }
    return last;
}
