// expect: unknown
// flags: --max-work 2
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    while (n > 0) {
        if (n == 7)
            __builtin_unreachable();
        n--;
    }
    return 0;
}
