// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// On the machine no number is greater than the largest one of its type.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    while (0xffffffffu >= x)
        x++;
    return 0;
}
