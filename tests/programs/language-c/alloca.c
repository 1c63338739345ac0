// expect: error kind=use-after-return line=14
#include <alloca.h>

static char *make(int n)
{
	char *p = alloca(n), *q = p;
	p[0] = 1;
	return q;
}

int main(void)
{
	char *p = make(3);
	return p[0];
}
