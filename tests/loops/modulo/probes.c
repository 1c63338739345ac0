// expect: terminating
// broken: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

/* Open addressing: looks for a free place in a table of eight. */
int main(void)
{
    unsigned char used[8] = {1, 0, 1, 1, 1, 1, 1, 1};
    unsigned h = __VERIFIER_nondet_uint() % 8, step = __VERIFIER_nondet_uint() % 8;
    while (used[h])
#ifdef BROKEN
        h = (h + step) % 8;
#else
        h = (h + (step | 1)) % 8;
#endif
    return h;
}
