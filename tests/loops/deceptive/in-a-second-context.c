// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

static void count(int n, int step)
{
    while (n > 0)
        n -= step;
}

int main(void)
{
    count(5, 1);
    count(5, __VERIFIER_nondet_int() & 1);
    return 0;
}
