// expect: terminating
extern int __VERIFIER_nondet_int(void);

extern void __VERIFIER_assume(int);

int main(void)
{
    while (1) {
        int x = __VERIFIER_nondet_int();
        __VERIFIER_assume(x == 0);
        if (x == 0)
            break;
    }
    return 0;
}
