// expect: terminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int at = __VERIFIER_nondet_int();
    int target = __VERIFIER_nondet_int();
    while (at != target) {
        if (at > target)
            at--;
        else
            at++;
    }
    return 0;
}
