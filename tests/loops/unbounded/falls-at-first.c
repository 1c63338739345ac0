// expect: nonterminating
// flags: --arithmetic integer
// y may be positive, and stays what it is.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) {
        x = x + y;
        y = y - y / 2;
    }
    return 0;
}
