// expect: terminating arithmetic=integer
// broken: nonterminating
// flags: --arithmetic both
// A product of two numbers is greater than one of them if that is positive and the other one is at
// least two.
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void)
{
    int base = __VERIFIER_nondet_int(), limit = __VERIFIER_nondet_int();
#ifdef BROKEN
    __VERIFIER_assume(base >= 1);
#else
    __VERIFIER_assume(base >= 2);
#endif
    int sum = 1, power = base;
    while (power < limit) {
        sum = sum * base + 1;
        power = power * base;
    }
    return sum;
}
