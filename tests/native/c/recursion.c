#include <stdio.h>

static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static void hanoi(int n, char a, char b, char c)
{
	if (n == 0)
		return;
	hanoi(n - 1, a, c, b);
	printf("%c%c ", a, c);
	hanoi(n - 1, b, a, c);
}
static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void)
{
	printf("%d %ld\n", ackermann(2, 3), fib(15));
	hanoi(4, 'a', 'b', 'c');
	puts("");
	return 0;
}
