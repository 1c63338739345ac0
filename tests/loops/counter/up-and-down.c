// expect: terminating
// broken: nonterminating
int main(void)
{
    int i = 5, up = 1;
    while (i > 0) {
        i += up ? 1 : -1;
        if (i == 10)
            up = 0;
#ifdef BROKEN
        if (i == 1)
#else
        if (i == 0)
#endif
            up = 1;
    }
    return 0;
}
