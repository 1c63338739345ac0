// expect: error kind=invalid-pointer
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p);
	uintptr_t tagged = (uintptr_t)p | (uintptr_t)5 << 48;
	*(int *)tagged = 1;
	free(p);
	return 0;
}
