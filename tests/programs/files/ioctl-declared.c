// expect: verified
// broken: error kind=assertion line=16
// A program that declares ioctl itself, as glibc does.
#include <assert.h>
#include <unistd.h>

int ioctl(int, unsigned long, ...);

int main(void)
{
	int ends[2], n = -1;
	assert(pipe(ends) == 0 && write(ends[1], "ab", 2) == 2);
	assert(ioctl(ends[0], 0x541b, &n) == 0);
	int expected = 2;
#ifdef BROKEN
	assert(n != expected);
#endif
	assert(n == expected);
	return 0;
}
