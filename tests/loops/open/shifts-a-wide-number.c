// expect: unknown truth=terminating
// flags: --max-work 2
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned __int128 x = __VERIFIER_nondet_uint();
    x <<= 64;
    while (x)
        x >>= 3;
    return 0;
}
