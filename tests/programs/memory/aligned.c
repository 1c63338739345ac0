// expect: verified
#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	void *a = aligned_alloc(64, 128), *b = 0;
	assert((uintptr_t)a % 64 == 0);
	assert(posix_memalign(&b, 4096, 10) == 0 && (uintptr_t)b % 4096 == 0);
	assert(posix_memalign(&b + 0, 3, 10) == 22);
	assert(malloc_usable_size(b) >= 10);
	free(a);
	free(b);
	return 0;
}
