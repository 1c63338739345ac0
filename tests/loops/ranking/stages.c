// expect: terminating
// slow: 7 s
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int stage = 0, x = __VERIFIER_nondet_int();
    while (stage < 3) {
        if (stage == 0) {
            if (x > 0)
                x--;
            else
                stage = 1;
        } else if (stage == 1) {
            if (x < 100)
                x++;
            else
                stage = 2;
        } else {
            if (x > 50)
                x--;
            else
                stage = 3;
        }
    }
    return 0;
}
