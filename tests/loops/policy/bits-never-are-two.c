// expect: terminating
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    unsigned n = 1;
    while (__VERIFIER_nondet_bool() + 0u == n)
        n += 2;
    return 0;
}
