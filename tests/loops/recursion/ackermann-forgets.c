// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    return ackermann(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint());
}
