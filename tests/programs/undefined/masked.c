// expect: verified
// The undefined bits are masked out; what is left is defined.
int main(void)
{
	unsigned char bytes[4];
	bytes[0] = 1;
	unsigned word;
	__builtin_memcpy(&word, bytes, 4);
	if ((word & 0xff) == 1)
		return 0;
	return 1;
}
