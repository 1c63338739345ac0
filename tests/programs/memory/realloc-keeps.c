// expect: verified
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	int *p = NULL;
	int capacity = 0;
	for (int i = 0; i < 20; i++) {
		if (i == capacity) {
			capacity = capacity ? 2 * capacity : 1;
			p = realloc(p, capacity * sizeof *p);
		}
		p[i] = i * i;
	}
	p = realloc(p, 3 * sizeof *p);
	assert(p[2] == 4);
	free(p);
	return 0;
}
