// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int k = __VERIFIER_nondet_int(), r = 0;
    while (k > 0) {
        r++;
        k--;
    }
    return r;
}
