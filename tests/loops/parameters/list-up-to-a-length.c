// expect: terminating
// flags: --main f

struct node {
    int value;
    struct node *next;
};
int f(struct node *list, unsigned char length)
{
    int sum = 0;
    while (list && length > 0) {
        sum += list->value & 7;
        list = list->next;
        length--;
    }
    return sum;
}
