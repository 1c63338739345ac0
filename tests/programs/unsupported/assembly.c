// expect: inconclusive reason="assembly" line=5
int main(void)
{
	int x = 0;
	__asm__ volatile("movl $3, %0" : "=r"(x));
	return x != 3;
}
