// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned needed = __VERIFIER_nondet_uint(), capacity = __VERIFIER_nondet_uint();
    if (needed > 1000000)
        return 0;
    while (capacity < needed)
        capacity *= 2;
    return 0;
}
