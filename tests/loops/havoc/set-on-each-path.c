// expect: terminating
// flags: --havoc-locals
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x;
    if (__VERIFIER_nondet_int())
        x = 7;
    else
        x = -7;
    while (x)
        x += x > 0 ? -1 : 1;
    return 0;
}
