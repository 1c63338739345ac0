// expect: terminating
struct node {
    struct node *next;
};

int main(void)
{
    struct node a, b;
    a.next = &b;
    b.next = &a;
    int length = 0;
    for (struct node *at = &a; at && length < 1000; at = at->next)
        length++;
    return length;
}
