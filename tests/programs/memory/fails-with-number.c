// expect: verified
// flags: --malloc-fail
// broken: error kind=assertion line=24
// broken-flags: --malloc-fail
// An allocation that fails says why.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	errno = 0;
	char *p = malloc(1);
	assert(p ? errno == 0 : errno == ENOMEM);
	char *q = realloc(p, 2);
	if (!q) {
		assert(errno == ENOMEM);
		q = p;
	}
	free(q);
	errno = 0;
	char *copy = strdup("a");
#ifdef BROKEN
	assert(errno == 0);
#endif
	assert(copy || errno == ENOMEM);
	free(copy);
}
