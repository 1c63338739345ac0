#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	srand(1);
	int a = rand(), b = rand();
	srand(1);
	printf("%d %d\n", a == rand() && b == rand(), a >= 0 && a <= RAND_MAX);
	return 0;
}
