#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(void)
{
	int a[] = {5, -2, 9, 0, 7, 7, 1, -8, 3};
	int n = sizeof a / sizeof *a;
	qsort(a, n, sizeof *a, by_number);
	for (int i = 0; i < n; i++)
		printf("%d ", a[i]);
	int key = 7;
	int *p = bsearch(&key, a, n, sizeof *a, by_number);
	printf("| %d\n", p ? *p : -1);
	const char *w[] = {"pear", "fig", "apple", "kiwi"};
	qsort(w, 4, sizeof *w, by_text);
	for (int i = 0; i < 4; i++)
		printf("%s ", w[i]);
	div_t d = div(-17, 5);
	printf("\n%d %d %d %ld\n", d.quot, d.rem, abs(-3), labs(-4L));
	return 0;
}
