// expect: terminating arithmetic=integer
// flags: --arithmetic integer
// A square is at least its root.
int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), root = 0;
    while ((root + 1) * (root + 1) <= n)
        root++;
    return root;
}
