// expect: nonterminating

struct node {
    struct node *next;
};
int main(void)
{
    struct node a, b, c;
    a.next = &b;
    b.next = &c;
    c.next = &b;
    int n = 0;
    for (struct node *p = &a; p; p = p->next)
        n++;
    return n;
}
