// expect: terminating
// broken: nonterminating
extern unsigned long __VERIFIER_nondet_ulong(void);

/* A system call that may write less than it is asked to. */
static unsigned long put(unsigned long wanted)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    return n > wanted ? wanted : n;
}

int main(void)
{
    unsigned long remaining = __VERIFIER_nondet_ulong();
    while (remaining) {
        unsigned long written = put(remaining);
#ifndef BROKEN
        if (written == 0)
            return -1;
#endif
        remaining -= written;
    }
    return 0;
}
