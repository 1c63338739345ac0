// expect: terminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned z = __VERIFIER_nondet_uint();
    unsigned sum = 1, power = z;
    if (z < 3 || z > 5)
        return 0;
    while (sum * (z - 1) + 1 == power) {
        sum = sum * z + 2;
        power = power * z;
    }
    return 0;
}
