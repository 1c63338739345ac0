// expect: error kind=use-after-free line=14
// An address that only a changed number holds is used again, or not.
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	int *first = malloc(sizeof *first);
	uintptr_t hidden = ~(uintptr_t)first;
	free(first);
	first = 0;
	int *second = malloc(sizeof *second);
	uintptr_t other = ~(uintptr_t)second;
	*(int *)~hidden = (int)other;
	free(second);
}
