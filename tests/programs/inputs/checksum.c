// expect: verified
// broken: error kind=assertion line=46
// flags: --stdin-bytes 3
// A checksum, bit by bit and by a table, of three bytes of any value: each bit is decided, and each
// decision leaves a value that depends on the bytes in any case.
#include <assert.h>
#include <stdio.h>

static unsigned char table[256];

static unsigned char by_bits(const unsigned char *text, int length)
{
	unsigned char rest = 0;
	for (int i = 0; i < length; i++) {
		rest ^= text[i];
		for (int bit = 0; bit < 8; bit++)
			rest = rest & 0x80 ? (unsigned char)(rest << 1) ^ 0x07 : rest << 1;
	}
	return rest;
}

static unsigned char by_table(const unsigned char *text, int length)
{
	unsigned char rest = 0;
	for (int i = 0; i < length; i++)
		rest = table[rest ^ text[i]];
	return rest;
}

int main(void)
{
	for (int i = 0; i < 256; i++) {
		unsigned char byte = i;
		table[i] = by_bits(&byte, 1);
	}
	unsigned char text[4];
	if (fread(text, 1, 3, stdin) != 3)
		return 0;
	text[3] = by_bits(text, 3);
	assert(by_table(text, 4) == 0);
	unsigned char sent = by_table(text, 3);
	text[1] ^= 0x10;
#ifdef BROKEN
	text[2] ^= 0x70;
#endif
	assert(by_table(text, 3) != sent);
	return 0;
}
