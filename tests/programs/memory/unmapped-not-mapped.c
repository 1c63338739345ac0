// expect: error kind=invalid-free line=10
// broken: error kind=invalid-free line=12
#include <stdlib.h>
#include <sys/mman.h>
static _Alignas(4096) char page[4096];
int main(void)
{
	char *p = aligned_alloc(4096, 4096);
#ifndef BROKEN
	munmap(p, 4096);
#endif
	munmap(page, 4096);
	free(p);
}
