// expect: inconclusive reason="addl" line=6
// Without the prefix it is a load and a store, and is not what is known here.
int main(void)
{
	int n = 0;
	__asm__ volatile("addl $1, %0" : "+m"(n));
	return n - 1;
}
