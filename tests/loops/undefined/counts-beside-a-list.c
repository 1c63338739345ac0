// expect: terminating
struct node {
    struct node *next;
};

int main(void)
{
    struct node a, b;
    a.next = &b;
    b.next = 0;
    int length = 0;
    for (struct node *at = &a; at; at = at->next)
        length++;
    return length;
}
