// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// Once it goes down it never goes up again.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), up = 1;
    while (x > 0) {
        if (x >= 100)
            up = 0;
        if (up)
            x++;
        else
            x--;
    }
    return 0;
}
