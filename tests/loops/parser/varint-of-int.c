// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

/* Writes a number seven bits at a time. */
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    int bytes = 0;
    while (n > 0) {
        n >>= 7;
        bytes ^= 1;
    }
    return bytes;
}
