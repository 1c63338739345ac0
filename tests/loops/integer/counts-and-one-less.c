// expect: terminating arithmetic=integer
// flags: --arithmetic integer
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 0) {
        int y = 0;
        while (y < x)
            y++;
        x = y - 1;
    }
    return 0;
}
