// expect: unknown
// flags: --max-work 2
// Below the start, the end is only reached around the address space.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char b[4];
    char *end = b + __VERIFIER_nondet_int();
    for (char *p = b; p != end; p++) {
    }
    return 0;
}
