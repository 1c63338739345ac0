// expect: verified
// An empty one keeps the compiler from moving accesses, and does nothing else.
int main(void)
{
	int x = 1;
	__asm__ volatile("" ::: "memory");
	return x - 1;
}
