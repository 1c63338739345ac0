// expect: unknown
// flags: --max-work 2
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = -2147483647 - 1, y = __VERIFIER_nondet_int();
    if (y >= 0 || y < -2)
        return 0;
    while (x / y < 0)
        x--;
    return x;
}
