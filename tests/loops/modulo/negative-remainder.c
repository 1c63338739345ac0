// expect: nonterminating
// The remainder of a negative number is not positive.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x % 4 != 3) {
        if (x >= 0 && x < 100)
            x++;
        else if (x >= 0)
            x = 0;
    }
    return 0;
}
