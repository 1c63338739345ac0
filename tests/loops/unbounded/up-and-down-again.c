// expect: nonterminating
// flags: --arithmetic integer
// It turns around at both ends.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), up = 1;
    while (x > 0) {
        if (x >= 100)
            up = 0;
        if (x == 1)
            up = 1;
        if (up)
            x++;
        else
            x--;
    }
    return 0;
}
