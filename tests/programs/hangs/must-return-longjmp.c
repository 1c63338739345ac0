// expect: verified
// A jump out of a function leaves it as well.
#include <impasse/section.h>
#include <setjmp.h>

static jmp_buf out;

static void serve(int bad)
{
	IMPASSE_MUST_RETURN;
	if (bad)
		longjmp(out, 1);
}

int main(void)
{
	for (;;) {
		if (!setjmp(out))
			serve(1);
		serve(0);
	}
}
