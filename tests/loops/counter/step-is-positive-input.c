// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int step = __VERIFIER_nondet_int();
    if (step < 1 || step > 3)
        return 0;
    int i = 0;
    while (i < 30) {
        i += step;
    }
    return 0;
}
