// expect: unknown undefined=out-of-bounds
// ilp32: unknown undefined=out-of-bounds
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int count = 10;
    unsigned long address = (unsigned long)&count + 400;
    while (__VERIFIER_nondet_int() != 0) {
        *(int *)address = 0;
    }
    return 0;
}
