// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x == -2147483647 - 1)
        return 0;
    while (x < 0) {
        x = (int)(0u - (unsigned)x);
    }
    return 0;
}
