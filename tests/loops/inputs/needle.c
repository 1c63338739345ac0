// expect: terminating
// broken: nonterminating
#ifdef BROKEN
extern int __VERIFIER_nondet_int(void);
#else
extern unsigned __VERIFIER_nondet_uint(void);
#endif

int main(void)
{
#ifdef BROKEN
    int x = __VERIFIER_nondet_int();
    if (x * 3 == 12345)
#else
    unsigned x = __VERIFIER_nondet_uint() & 0xffff;
    if (x * 3 == 12346)
#endif
        while (x) {
        }
    return 0;
}
