// expect: terminating
// slow: 5 s
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned k = __VERIFIER_nondet_uint();
    unsigned i = 0;
    if (k != 5 && k != 7 && k != 11)
        return 0;
    do {
        i = (i + k) % 12;
    } while (i != 5);
    return 0;
}
