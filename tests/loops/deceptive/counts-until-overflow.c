// expect: unknown undefined=signed-overflow
// flags: --max-work 2
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 0)
        x++;
    return 0;
}
