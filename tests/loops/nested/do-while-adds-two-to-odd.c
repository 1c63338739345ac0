// expect: nonterminating line=7
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = 2 * __VERIFIER_nondet_uint() + 1;
    while (x != 0) {
        unsigned y = 0;
        do
            y++;
        while (y < x);
        x = y + 2;
    }
    return 0;
}
