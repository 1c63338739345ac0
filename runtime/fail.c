/* How the machine's own functions fail. */
#include <errno.h>

int __impasse_fail(int number)
{
	errno = number;
	return -1;
}

void *__impasse_fail_with_null(int number)
{
	errno = number;
	return 0;
}
