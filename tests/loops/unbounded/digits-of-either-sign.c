// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// A quotient is nearer to zero, with either sign.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), count = 0;
    do {
        n /= 10;
        count++;
    } while (n != 0);
    return count;
}
