// expect: terminating
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int m = 0;
    while (m < 5) {
        if (__VERIFIER_nondet_bool())
            m += 2;
        else
            m++;
    }
    return 0;
}
