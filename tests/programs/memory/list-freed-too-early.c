// expect: error kind=use-after-free line=15
#include <stdlib.h>

struct node { struct node *next; int value; };

int main(void)
{
	struct node *head = NULL;
	for (int i = 0; i < 5; i++) {
		struct node *n = malloc(sizeof *n);
		n->next = head;
		n->value = i;
		head = n;
	}
	for (struct node *n = head; n; n = n->next)
		free(n);
	return 0;
}
