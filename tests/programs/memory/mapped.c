// expect: verified
// broken: error kind=invalid-free line=16
// Memory of mmap is zero, has whole pages, and munmap gives it back.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(void)
{
	char *p = mmap(0, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(p != MAP_FAILED && p[0] == 0 && p[4095] == 0);
	assert(munmap(p + 1, 4096) == -1 && errno == EINVAL);
	assert(munmap(p, 0) == -1 && errno == EINVAL);
#ifdef BROKEN
	free(p);
#else
	assert(munmap(p, 4096) == 0);
#endif
}
