// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i > 5 || j > 5 || i < 0 || j < 0)
        return 0;
    while (i != 0 && j != 0) {
        int t = i - 1;
        i = j;
        j = t;
    }
    return 0;
}
