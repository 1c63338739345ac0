// expect: nonterminating
// ilp32: terminating
// flags: --main f
void f(long low, unsigned long high)
{
    while (low > 5000000000 && high > 4294967295) {
        low++;
        low--;
    }
}
