// expect: terminating
// broken: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned needed = __VERIFIER_nondet_uint(), capacity = __VERIFIER_nondet_uint();
    if (needed > 1000000)
        return 0;
    while (capacity < needed)
#ifdef BROKEN
        capacity *= 2;
#else
        capacity = capacity * 2 + 1;
#endif
    return 0;
}
