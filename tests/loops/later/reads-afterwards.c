// expect: nonterminating condition=none
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned sum = 0;
    for (int i = 0; i < 100000; i++)
        sum = sum * 33 + i;
    int level = __VERIFIER_nondet_int();
    while (level >= 0) {
        int change = __VERIFIER_nondet_int();
        if (change < -7 || change > 7)
            return 1;
        if (level > 1000)
            level = 500;
        level += change - 1;
    }
    return sum;
}
