// expect: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[5] = {1, 2, 3, 4, 5};
    int wanted = __VERIFIER_nondet_int(), i = 0;
    while (a[i] != wanted)
        i = (i + 1) % 5;
    return 0;
}
