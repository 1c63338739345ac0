// expect: nonterminating
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *first = malloc(sizeof *first);
    first->value = 0;
    struct node *last = first;
    for (int i = 1; i < 4; i++) {
        last->next = malloc(sizeof *last);
        last = last->next;
        last->value = i;
    }
    last->next = first;
    while (first->value < 9)
        first = first->next;
    return 0;
}
