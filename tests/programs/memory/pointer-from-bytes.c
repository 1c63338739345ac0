// expect: verified
// A pointer that is copied byte by byte, or through an integer, still points.
#include <assert.h>
#include <stdint.h>
#include <string.h>

int main(void)
{
	int x = 42, *p = &x, *q;
	unsigned char bytes[sizeof p];
	for (unsigned i = 0; i < sizeof p; i++)
		bytes[i] = ((unsigned char *)&p)[i];
	memcpy(&q, bytes, sizeof q);
	assert(q == p && *q == 42);
	uintptr_t n = (uintptr_t)&x;
	int *r = (int *)n;
	*r = 43;
	assert(x == 43);
	return 0;
}
