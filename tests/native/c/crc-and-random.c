#include <stdint.h>
#include <stdio.h>

static uint32_t crc(const unsigned char *p, int n)
{
	uint32_t c = ~0u;
	while (n--) {
		c ^= *p++;
		for (int i = 0; i < 8; i++)
			c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
	}
	return ~c;
}

int main(void)
{
	printf("%08x\n", crc((const unsigned char *)"123456789", 9));
	uint64_t s = 88172645463325252ull;
	for (int i = 0; i < 5; i++) {
		s ^= s << 13;
		s ^= s >> 7;
		s ^= s << 17;
		printf("%016llx\n", (unsigned long long)s);
	}
	return 0;
}
