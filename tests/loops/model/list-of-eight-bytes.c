// expect: nonterminating
// ilp32: terminating
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *first = 0, *last = 0;
    for (int i = 0; i < 4; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = i;
        node->next = first;
        first = node;
        if (!last)
            last = node;
    }
    if (sizeof(struct node) != 8)
        last->next = first;
    int sum = 0;
    for (struct node *node = first; node; node = node->next) {
        sum = (sum + node->value) & 7;
    }
    return sum;
}
