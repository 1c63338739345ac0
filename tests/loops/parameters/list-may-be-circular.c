// expect: nonterminating
// flags: --main f

struct node {
    int value;
    struct node *next;
};
int f(struct node *list)
{
    int sum = 0;
    while (list) {
        sum += list->value & 7;
        list = list->next;
        if (sum > 100)
            sum = 0;
    }
    return sum;
}
