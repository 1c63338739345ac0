#include <stdio.h>

static int counter(void)
{
	static int n = 10;
	return n++;
}

static const char *name(int i)
{
	static char b[4][8];
	static int k;
	k = (k + 1) % 4;
	snprintf(b[k], sizeof b[k], "n%d", i);
	return b[k];
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		printf("%d ", counter());
	printf("%s %s %s\n", name(1), name(2), name(3));
	return 0;
}
