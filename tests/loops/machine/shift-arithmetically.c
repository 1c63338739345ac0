// expect: nonterminating
// A negative number becomes -1 and stays it.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x != 0)
        x = x >> 4;
    return 0;
}
