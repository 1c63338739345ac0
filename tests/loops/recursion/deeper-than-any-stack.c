// expect: unknown truth=terminates-on-a-stack-of-four-thousand-million-frames
// flags: --max-work 2
extern unsigned __VERIFIER_nondet_uint(void);

int parity(unsigned n)
{
    return n == 0 ? 0 : !parity(n - 1);
}

int main(void)
{
    return parity(__VERIFIER_nondet_uint());
}
