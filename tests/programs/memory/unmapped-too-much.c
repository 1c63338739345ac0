// expect: error kind=invalid-free line=9
// broken: error kind=double-free line=12
// What else may lie behind a mapping would be gone as well.
#include <sys/mman.h>
int main(void)
{
	char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#ifndef BROKEN
	munmap(p, 8192);
#endif
	munmap(p, 4096);
	munmap(p, 4096);
}
