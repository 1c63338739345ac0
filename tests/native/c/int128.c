// models: lp64
#include <stdio.h>

static void print(unsigned __int128 x)
{
	char b[50], *p = b + 49;
	*p = 0;
	do {
		*--p = '0' + (int)(x % 10);
		x /= 10;
	} while (x);
	puts(p);
}

int main(void)
{
	unsigned __int128 f = 1;
	for (int i = 1; i <= 33; i++)
		f *= i;
	print(f);
	print(f >> 64);
	print((f << 3) ^ (f >> 5));
	__int128 n = -1000000007;
	n *= n;
	n -= 5;
	print((unsigned __int128)n);
	print((unsigned __int128)(n / 12345));
	printf("%d %d %f\n", n > 0, (int)(n % 97), (double)n);
	return 0;
}
