// stdin: 12 -7 0x1f 3.25 word 99 [abc] z\n
#include <stdio.h>

int main(void)
{
	int a, b;
	unsigned x;
	double d;
	char w[20], s[20], c;
	int n = scanf("%d %d %x %lf %19s %*d [%19[a-z]] %c", &a, &b, &x, &d, w, s, &c);
	printf("%d: %d %d %u %g %s %s %c\n", n, a, b, x, d, w, s, c);
	n = sscanf("7:8:nine", "%d:%d:%d", &a, &b, &n);
	printf("%d %d %d\n", n, a, b);
	return 0;
}
