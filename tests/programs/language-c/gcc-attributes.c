// expect: verified
// broken: error kind=memory-leak line=14
// clang refuses the argument of the attribute, and atomic functions of GCC's on an object of an atomic type.
#include <stdlib.h>

void give_back(int *);
int *make(int) __attribute__((__malloc__, __malloc__(give_back, 1)));

static _Atomic int made;

int *make(int n)
{
	__atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
	int *p = malloc(sizeof *p);
	*p = n;
	return p;
}

void give_back(int *p)
{
	free(p);
}

int main(void)
{
	int *p = make(3);
	int n = *p;
#ifndef BROKEN
	give_back(p);
#endif
	p = 0;
	return __atomic_load_n(&made, __ATOMIC_RELAXED) + n - 4;
}
