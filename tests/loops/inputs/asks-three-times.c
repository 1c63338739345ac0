// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0;
    while (__VERIFIER_nondet_int() != 0 && n < 3)
        n++;
    return 0;
}
