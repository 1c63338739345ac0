// expect: nonterminating
// flags: --arithmetic integer
// That it ends in steps of half the range says nothing of other inputs.
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = 1, step = __VERIFIER_nondet_uint();
    while (i < 4294967295u)
        i += step;
    return 0;
}
