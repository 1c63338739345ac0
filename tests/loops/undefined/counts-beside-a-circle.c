// expect: terminating
// broken: nonterminating condition=overflow
struct node {
    struct node *next;
};

int main(void)
{
    struct node a, b;
    a.next = &b;
    b.next = &a;
    int length = 0;
#ifdef BROKEN
    for (struct node *at = &a; at; at = at->next)
#else
    for (struct node *at = &a; at && length < 1000; at = at->next)
#endif
        length++;
    return length;
}
