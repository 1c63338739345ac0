// expect: verified
// broken: error kind=use-after-return line=16
// A jump that does not leave the block does not end its variables (C17, 6.2.4); an iteration does.
int main(void)
{
    int *kept = 0, count = 0;
#ifdef BROKEN
    while (count < 3) {
        int number = count;
#else
    {
    again:;
        int number = count;
#endif
        kept = kept ? kept : &number;
        if (*kept != count) return 1;
        count++;
#ifndef BROKEN
        if (count < 3) goto again;
#endif
    }
    return 0;
}
