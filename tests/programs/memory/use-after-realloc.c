// expect: error kind=use-after-free line=10
// realloc may move: the old pointer is dead.
#include <stdlib.h>

int main(void)
{
	int *old = malloc(sizeof *old);
	*old = 5;
	int *new = realloc(old, 100 * sizeof *new);
	int x = *old;
	free(new);
	return x - 5;
}
