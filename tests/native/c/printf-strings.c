#include <stdio.h>

int main(void)
{
	char buffer[8];
	printf("[%s] [%10s] [%-10s] [%.2s] [%10.3s]\n", "abc", "abc", "abc", "abc", "abcdef");
	int n = snprintf(buffer, sizeof buffer, "%s", "a long string");
	printf("%d [%s]\n", n, buffer);
	n = snprintf(NULL, 0, "%d-%d", 12, 345);
	printf("%d\n", n);
	int count;
	printf("four%n\n", &count);
	printf("%d\n", count);
	puts("puts");
	putchar('c');
	putchar('\n');
	fputs("fputs\n", stdout);
	fwrite("bytes\0in", 1, 8, stdout);
	return 7;
}
