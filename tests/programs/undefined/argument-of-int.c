// expect: verified
// broken: error kind=undefined-value line=18
// A function that takes a long from its variable arguments must get one: nothing sets the bits above an int.
#include <stdarg.h>

#ifdef BROKEN
#define ZERO 0
#else
#define ZERO 0L
#endif

static int count(int first, ...)
{
	va_list list;
	va_start(list, first);
	int n = 0;
	for (;;) {
		if (va_arg(list, long) == 0)
			break;
		n++;
	}
	va_end(list);
	return n;
}

int main(void)
{
	return count(0, 1L, 2L, ZERO) != 2;
}
