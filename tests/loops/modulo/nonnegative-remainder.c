// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 50)
        return 0;
    while (x % 4 != 3)
        x++;
    return 0;
}
