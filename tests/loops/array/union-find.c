// expect: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned parent[6];
    for (unsigned i = 0; i < 6; i++)
        parent[i] = i;
    unsigned a = __VERIFIER_nondet_uint() % 6, b = __VERIFIER_nondet_uint() % 6;
    parent[a] = b;
    a = __VERIFIER_nondet_uint() % 6, b = __VERIFIER_nondet_uint() % 6;
    parent[a] = b;
    unsigned x = 0;
    while (parent[x] != x)
        x = parent[x];
    return 0;
}
