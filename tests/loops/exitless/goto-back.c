// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
again:
    x = x * 3 + 1;
    if (x & 4) {
        x ^= 0x55;
        goto again;
    }
    goto again;
}
