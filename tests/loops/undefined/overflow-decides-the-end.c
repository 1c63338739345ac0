// expect: unknown
// flags: --max-work 2
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), sum = 0;
    for (int i = 0; i < n && sum >= 0; i += sum >= 0)
        sum += i;
    while (sum > 0 && sum < sum + 1)
        sum++;
    return sum;
}
