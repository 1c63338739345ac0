// expect: verified
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
	int sum = 0;
	while (head) {
		struct node *next = head->next;
		sum += head->value;
		free(head);
		head = next;
	}
	return sum != 10;
}
