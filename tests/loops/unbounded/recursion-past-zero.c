// expect: nonterminating
// flags: --arithmetic integer
// An odd number passes zero.
int __VERIFIER_nondet_int(void);

int even(int n)
{
    if (n == 0)
        return 1;
    return even(n - 2);
}

int main(void)
{
    return even(__VERIFIER_nondet_int());
}
