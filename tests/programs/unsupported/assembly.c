// expect: inconclusive reason="assembly" line=5
int main(void)
{
	int x = 0;
	__asm__ volatile("popcntl %1, %0" : "=r"(x) : "r"(7));
	return x != 3;
}
