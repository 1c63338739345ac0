#include <stdio.h>
#include <string.h>

int main(void)
{
	char composite[300];
	memset(composite, 0, sizeof composite);
	int n = 0;
	for (int i = 2; i < 300; i++) {
		if (composite[i])
			continue;
		printf("%d%c", i, ++n % 10 ? ' ' : '\n');
		for (int j = i * i; j < 300; j += i)
			composite[j] = 1;
	}
	printf("\n%d\n", n);
	return n;
}
