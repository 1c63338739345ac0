// expect: unknown
// flags: --max-work 2
extern int __VERIFIER_nondet_int(void);

int a[4];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    a[i] = 1;
    for (int n = 0; n < 10; n++) {
    }
    return 0;
}
