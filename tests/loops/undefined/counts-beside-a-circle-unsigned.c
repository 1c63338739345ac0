// expect: nonterminating condition=none
struct node {
    struct node *next;
};

int main(void)
{
    struct node a, b;
    a.next = &b;
    b.next = &a;
    unsigned length = 0;
    for (struct node *at = &a; at; at = at->next)
        length++;
    return (int)length;
}
