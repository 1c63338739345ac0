// expect: verified
// broken: error kind=assertion line=14
// Headers that glibc has beyond those of POSIX.
#include <assert.h>
#include <gnu/libc-version.h>
#include <mcheck.h>
#include <sys/unistd.h>

int main(void)
{
	mtrace();
	muntrace();
#ifdef BROKEN
	assert(gnu_get_libc_version()[0] == '3');
#endif
	assert(gnu_get_libc_version()[0] == '2' && *gnu_get_libc_release());
	pid_t (*ask)(void) = getpid;
	return ask == 0;
}
