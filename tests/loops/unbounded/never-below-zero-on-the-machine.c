// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// On the machine no unsigned number is less than zero. Over integers, one that is decreased is.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    while (x >= 0)
        x--;
    return 0;
}
