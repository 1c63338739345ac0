// expect: terminating
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *first = 0;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = first;
        n->value = i;
        first = n;
    }
    while (first) {
        struct node *n = first->next;
        free(first);
        first = n;
    }
    return 0;
}
