// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i > 12)
        return 0;
    while (i > 0) {
        i = i - 1;
    }
    return 0;
}
