// expect: verified
#include <assert.h>
#include <impasse.h>

static int a = 1, b = 2, c = 3;

int main(void)
{
	int *p[] = {&a, &b, &c};
	int *q = p[impasse_choose(3)];
	*q += 10;
	assert(a + b + c == 16);
	return 0;
}
