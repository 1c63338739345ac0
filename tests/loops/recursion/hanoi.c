// expect: terminating
// broken: nonterminating
extern unsigned char __VERIFIER_nondet_uchar(void);

int moves;

void hanoi(int n, int a, int b, int c)
{
    if (n <= 0)
        return;
    hanoi(n - 1, a, c, b);
    moves ^= a ^ b;
#ifdef BROKEN
    hanoi(n, c, b, a);
#else
    hanoi(n - 1, c, b, a);
#endif
}

int main(void)
{
    hanoi(__VERIFIER_nondet_uchar(), 1, 2, 3);
    return moves;
}
