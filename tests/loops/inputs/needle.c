// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x * 3 == 12345)
        while (x) {
        }
    return 0;
}
