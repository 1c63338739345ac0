// expect: verified
// broken: error kind=assertion line=23
// What Linux refuses of prctl: no change happens, and errno says why.
#include <assert.h>
#include <errno.h>
#include <sys/prctl.h>
static int refused(int operation, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	errno = 0;
	return prctl(operation, a, b, c, d) == -1 && errno == EINVAL;
}
int main(void)
{
	assert(!prctl(PR_SET_DUMPABLE, 0L) && !prctl(PR_SET_DUMPABLE, 1L));
	assert(refused(PR_SET_DUMPABLE, 2, 0, 0, 0) && refused(PR_SET_DUMPABLE, -1UL, 0, 0, 0));
	assert(!prctl(PR_SET_PDEATHSIG, 64L) && !prctl(PR_SET_PDEATHSIG, 0L));
	assert(refused(PR_SET_PDEATHSIG, 65, 0, 0, 0) && refused(PR_SET_PDEATHSIG, -1UL, 0, 0, 0));
	assert(refused(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) && refused(PR_SET_NO_NEW_PRIVS, 2, 0, 0, 0));
	assert(refused(PR_SET_NO_NEW_PRIVS, 1, 1, 0, 0) && refused(PR_SET_NO_NEW_PRIVS, 1, 0, 1, 0));
	assert(refused(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 1));
	assert(!prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L));
#ifdef BROKEN
	assert(!prctl(PR_SET_DUMPABLE, 2L));
#endif
}
