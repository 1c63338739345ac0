// expect: inconclusive reason="memory whose content is given up (madvise)" line=13
// broken: inconclusive reason="memory that may not be read and written (mmap)" line=11
#include <sys/mman.h>

enum { SIZE = 4096, NEW = MAP_PRIVATE | MAP_ANONYMOUS };

int main(void)
{
	char *all = mmap(0, SIZE, PROT_READ | PROT_WRITE, NEW, -1, 0);
#ifdef BROKEN
	char *some = mmap(0, SIZE, PROT_READ, NEW, -1, 0);
#else
	char *some = madvise(all, SIZE, MADV_DONTNEED) ? 0 : all;
#endif
	some[0] = 1;
	return 0;
}
