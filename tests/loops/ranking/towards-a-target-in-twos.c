// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned at = __VERIFIER_nondet_uint();
    while (at != 12) {
        if (at > 12)
            at -= 2;
        else
            at += 2;
    }
    return 0;
}
