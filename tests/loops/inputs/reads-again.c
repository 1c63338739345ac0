// expect: terminating
// broken: nonterminating
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int left = 100;
    while (left > 0) {
        int n = __VERIFIER_nondet_int();
        if (n < 0)
#ifdef BROKEN
            continue;
#else
            break;
#endif
        left -= n > 10 ? 10 : n + 1;
    }
    return 0;
}
