// expect: verified
// broken: error kind=assertion line=26
// What is larger than the address space cannot be allocated.
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
static size_t huge = SIZE_MAX / 2;
static void fails(void *p)
{
	assert(!p && errno == ENOMEM);
	errno = 0;
}
int main(void)
{
	fails(malloc(huge));
	fails(malloc(SIZE_MAX));
	fails(calloc(huge, 2));
	fails(calloc(huge, 4));
	fails(aligned_alloc(16, huge + 1));
	char *p = malloc(1);
	*p = 7;
	fails(realloc(p, huge));
#ifdef BROKEN
	assert(*p == 8);
#endif
	assert(*p == 7);
	free(p);
	void *q = &huge;
	assert(posix_memalign(&q, 16, huge) == ENOMEM && errno == 0 && q == &huge);
	assert(mmap(0, huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
	assert(errno == ENOMEM);
	errno = 0;
	assert(!aligned_alloc(3, 16) && errno == EINVAL);
}
