// expect: terminating
// broken: nonterminating
int main(void)
{
    int i = 0;
#ifdef BROKEN
    again:
#endif
    for (i = 0; i < 4; i++)
        if (i == 3)
#ifdef BROKEN
            goto again;
#else
            goto out;
    out:
#endif
    return 0;
}
