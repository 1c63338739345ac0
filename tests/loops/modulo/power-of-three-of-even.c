// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint() % 6 + 1;
    while (x % 3)
        x = x * 3 % 6;
    return 0;
}
