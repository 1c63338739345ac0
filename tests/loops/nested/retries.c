// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int tries = 0;
    (void)tries;
again:
    for (int i = 0; i < 4; i++) {
        if (__VERIFIER_nondet_int() != i)
            goto failed;
    }
    return 0;
failed:
    {
#ifdef BROKEN
        goto again;
#else
        if (++tries < 3)
            goto again;
#endif
    }
    return 1;
}
