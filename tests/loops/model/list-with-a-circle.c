// expect: nonterminating
// ilp32: nonterminating
#include <stdlib.h>

struct node {
    struct node *next;
    long value;
};

int main(void)
{
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    first->next = second;
    second->next = first;
    first->value = second->value = 1;
    for (struct node *node = first; node; node = node->next) {
        node->value = -node->value;
    }
    return 0;
}
