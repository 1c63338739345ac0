// expect: verified
// A system call that Impasse does not know fails as on a kernel without it.
#include <assert.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	assert(syscall(SYS_swapon, "/dev/null", 0) == -1 && errno == ENOSYS);
	errno = 0;
	assert(syscall(9999) == -1 && errno == ENOSYS);
}
