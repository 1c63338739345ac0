// expect: verified
// environment: 12 the system call swapon fails with ENOSYS: Impasse does not know it; 14 the system
//     call with the number 9999 fails with ENOSYS: Impasse does not know it
// A system call that Impasse does not know fails as on a kernel without it, and a note says so.
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
