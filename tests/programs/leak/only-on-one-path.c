// expect: error kind=memory-leak
// flags: --nondet 0..3
// The early return forgets the buffer.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static int parse(int n)
{
	char *buffer = malloc(8);
	if (n == 2)
		return -1;
	free(buffer);
	return 0;
}

int main(void)
{
	parse(__VERIFIER_nondet_int());
	return 0;
}
