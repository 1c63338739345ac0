// expect: terminating
// broken: nonterminating
int main(void)
{
    int i = 0;
    while (i < 10) {
        i++;
#ifdef BROKEN
        if (i == 10)
#else
        if (i == 11)
#endif
            i = 0;
    }
    return 0;
}
