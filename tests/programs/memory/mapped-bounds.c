// expect: error kind=out-of-bounds line=8
// broken: error kind=use-after-free line=11
#include <sys/mman.h>
int main(void)
{
	char *p = mmap(0, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#ifndef BROKEN
	p[4096] = 1;
#endif
	munmap(p, 100);
	p[0] = 1;
}
