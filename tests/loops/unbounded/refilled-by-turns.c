// expect: nonterminating
// flags: --arithmetic integer
// Each refills the other.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0) {
        if (y > 0) {
            y--;
            x++;
        } else {
            x--;
            y = x;
        }
    }
    return 0;
}
