#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text { size_t length; char bytes[]; };

int main(void)
{
	const char *s = "flexible";
	struct text *t = malloc(sizeof *t + strlen(s) + 1);
	t->length = strlen(s);
	strcpy(t->bytes, s);
	printf("%zu %s %zu\n", t->length, t->bytes, offsetof(struct text, bytes));
	free(t);
	return 0;
}
