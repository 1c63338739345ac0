// expect: inconclusive reason="unmapping a part of a mapping (munmap)" line=11
// broken: inconclusive reason="unmapping a part of a mapping (munmap)" line=9
#include <sys/mman.h>
int main(void)
{
	char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	p[0] = 1;
#ifdef BROKEN
	munmap(p, 4096);
#else
	munmap(p + 4096, 4096);
#endif
	return p[0];
}
