// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint() & 0xffff;
    if (x * 3 == 12346)
        while (x) {
        }
    return 0;
}
