// expect: error kind=invalid-shift line=6
int main(void)
{
	volatile int n = 64;
	unsigned long x = 1;
	x <<= n;
	return x != 0;
}
