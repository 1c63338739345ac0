// expect: nonterminating
struct node {
    struct node *next;
};

int main(void)
{
    struct node a, b, c;
    a.next = &b;
    b.next = &c;
    c.next = &a;
    struct node *p = &a;
    while (p)
        p = p->next;
    return 0;
}
