#include <stdint.h>
#include <stdio.h>

union word { uint32_t u; float f; unsigned char b[4]; struct { uint16_t low, high; }; };

int main(void)
{
	union word w = {.f = 1.5f};
	printf("%08x %d %d %x %x\n", w.u, w.b[3], w.b[0], w.high, w.low);
	w.b[3] = 0xc0;
	printf("%g\n", w.f);
	union { double d; uint64_t n; } v = {.n = 0x4009000000000000ull};
	printf("%g\n", v.d);
	return 0;
}
