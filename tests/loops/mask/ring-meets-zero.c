// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint() & 7;
    while (i != 0)
        i = (i + 3) & 7;
    return 0;
}
