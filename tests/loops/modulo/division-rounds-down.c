// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 1000)
        return 0;
    while (x > 0) {
        x = x / 2;
    }
    return 0;
}
