// Each step allocates a megabyte, which is written and never freed.
// flags: --leaks off
// memory: grows
#include <stdlib.h>
#include <string.h>

struct block {
	struct block *next;
	char bytes[1 << 20];
};

int main(void)
{
	struct block *all = 0;
	for (int n = 0;; n++) {
		struct block *block = malloc(sizeof *block);
		memset(block->bytes, n, sizeof block->bytes);
		block->next = all;
		all = block;
	}
}
