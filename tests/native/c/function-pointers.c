#include <stdio.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static operation choose(char c) { return c == '+' ? add : c == '-' ? sub : mul; }
static int apply(operation f, int n) { return f(n, n + 1); }

int main(void)
{
	operation table[] = {add, sub, mul};
	for (int i = 0; i < 3; i++)
		printf("%d ", apply(table[i], 5));
	for (const char *p = "+-*"; *p; p++)
		printf("%d ", choose(*p)(7, 3));
	printf("%d\n", choose('+') == add);
	return 0;
}
