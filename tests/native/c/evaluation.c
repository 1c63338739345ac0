#include <stdio.h>

static int n;
static int next(void) { return ++n; }

int main(void)
{
	int a = next() && 0 && next();
	int b = next() || next();
	int c = b ? next() : next() * 10;
	printf("%d %d %d %d\n", a, b, c, n);
	int x = 5;
	x += x++ * 0 + 1;
	int y[] = {[3] = 7, [1] = 2, 9};
	printf("%d %zu %d\n", y[2], sizeof y / sizeof *y, y[3]);
	printf("%s\n", (const char *[]){"zero", "one"}[x > 0]);
	struct { int a; struct { int b, c; }; } s = {.c = 3, .a = 1};
	printf("%d %d %d\n", s.a, s.b, s.c);
	printf("%d\n", ({ int t = 4; t * t; }));
	return 0;
}
