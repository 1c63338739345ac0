// expect: unknown undefined=signed-overflow
// flags: --max-work 2
// Undefined on the machine; forever over unbounded integers.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x >= 0)
        x++;
    return 0;
}
