// expect: inconclusive reason="assembly" line=5
int main(void)
{
	unsigned x = 0;
	__asm__ volatile("crc32l %1, %0" : "+r"(x) : "r"(7));
	return x != 3;
}
