// expect: terminating
// broken: nonterminating
extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node nodes[4];
    unsigned j = __VERIFIER_nondet_uint();
    for (int i = 0; i < 3; i++)
        nodes[i].next = &nodes[i + 1];
#ifdef BROKEN
    nodes[3].next = &nodes[j & 3];
#else
    nodes[3].next = 0;
#endif
    int length = 0;
    for (struct node *p = nodes; p; p = p->next)
        length ^= 1;
    return length;
}
