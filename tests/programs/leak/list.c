// expect: error kind=memory-leak
// Freeing the head loses the rest.
#include <stdlib.h>

struct node { struct node *next; };

int main(void)
{
	struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
	a->next = b;
	b->next = NULL;
	b = NULL;
	free(a);
	return 0;
}
