// expect: nonterminating line=8
// Section 2: i <= n holds forever if n is the greatest number.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned char n = __VERIFIER_nondet_uint(), i;
    for (i = 0; i <= n; i++) {
    }
    return 0;
}
