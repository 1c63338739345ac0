// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), up = 1;
    while (x > 0 && x < 1000) {
        if (up) {
            x++;
            if (x == 900)
                up = 0;
        } else x--;
        if (x > 900)
            up = 0;
    }
    return 0;
}
