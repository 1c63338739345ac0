// expect: verified
#include <setjmp.h>

static jmp_buf home;

int main(void)
{
	if (setjmp(home) == 0)
		longjmp(home, 1);
	return 0;
}
