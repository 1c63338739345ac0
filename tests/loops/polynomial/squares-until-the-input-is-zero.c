// expect: terminating
// slow: 3 s
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    unsigned n = 0, square = 0, odd = 1;
    unsigned char left = 200;
    while (square == n * n && __VERIFIER_nondet_bool() < left) {
        n = n + 1;
        square = square + odd;
        odd = odd + 2;
        left = left - 1;
    }
    return n;
}
