// expect: error kind=assertion line=24
// trace: allocates node#3: 16 bytes
// trace: writes head->next (node#3): &node#2 becomes &node#1
// Nodes of a list that are allocated in one place have names of their own.
#include <assert.h>
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
static struct node *head;
static struct node *make(int value, struct node *next)
{
    struct node *node = calloc(1, sizeof *node);
    node->value = value;
    node->next = next;
    return node;
}
int main(void)
{
    head = make(1, make(2, make(3, 0)));
    struct node *second = head->next;
    head->next = second->next;
    assert(head->next == second);
}
