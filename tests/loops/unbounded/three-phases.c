// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// z falls, then y, then x.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
    while (x > 0) {
        x = x + y;
        y = y + z;
        z = z - 1;
    }
    return 0;
}
