// expect: error kind=use-after-free line=12
#include <stdlib.h>

struct node { struct node *next; int value; };

int main(void)
{
	struct node *b = calloc(1, sizeof *b);
	struct node *a = calloc(1, sizeof *a);
	a->next = b;
	free(b);
	a->next->value = 3;
	free(a);
	return 0;
}
