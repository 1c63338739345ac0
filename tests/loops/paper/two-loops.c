// expect: nonterminating line=8
// Figure 10: the first loop ends, the second does not. Unsigned, so that it is defined.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    for (int x = 0; x < 100; x++) {}
    for (unsigned y = __VERIFIER_nondet_uint() | 1; y > 0; y += 2) {}
    return 0;
}
