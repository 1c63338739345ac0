// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0, n = 0, x;
    do {
        x = __VERIFIER_nondet_int() % 100;
        if (x >= 0)
            sum += x;
        n++;
    } while (x != -1 && n < 100);
    return n ? sum / n : 0;
}
