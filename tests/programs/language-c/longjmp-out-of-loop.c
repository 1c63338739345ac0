// expect: verified
#include <assert.h>
#include <setjmp.h>

static jmp_buf home;
static int calls;

static void deep(int n)
{
	calls++;
	if (n == 0)
		longjmp(home, 7);
	deep(n - 1);
}

int main(void)
{
	int r = setjmp(home);
	if (r == 0)
		deep(4);
	assert(r == 7 && calls == 5);
	return 0;
}
