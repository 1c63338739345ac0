#include <stdio.h>

static int classify(int n)
{
	switch (n) {
	case 0: return 1;
	case 1: case 2: n += 10; /* fall through */
	case 50: n *= 2; break;
	case 100 ... 200: n = -1; break;
	default:
		do {
			if (n % 7 == 0)
				continue;
			if (n % 11 == 0)
				break;
		} while (--n > 0);
	}
	return n;
}

int main(void)
{
	for (int i = 0; i < 260; i += 13)
		printf("%d ", classify(i));
	printf("%d %d %d\n", classify(1), classify(50), classify(150));
	int i = 0;
again:
	if (i++ < 3)
		goto again;
	printf("%d %d\n", i, (i, i + 1));
	return 0;
}
