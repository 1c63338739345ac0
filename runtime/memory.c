/* Small functions of memory that musl writes in assembly or over its own allocator. */
#include <string.h>

void explicit_bzero(void *p, size_t n)
{
	memset(p, 0, n);
}
