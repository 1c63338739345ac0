// expect: terminating
// broken: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

struct item {
    unsigned left, right;
};

int main(void)
{
    struct item tree[8];
    for (int i = 0; i < 8; i++)
        tree[i].left = __VERIFIER_nondet_uint();
    unsigned i = 0;
    while (i < 8)
#ifdef BROKEN
        i = tree[i].left;
#else
        i = tree[i].left > i ? tree[i].left : 8;
#endif
    return 0;
}
