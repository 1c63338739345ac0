// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    int n = 0;
    do {
        n++;
        x = x / 10;
    } while (x != 0);
    return 0;
}
