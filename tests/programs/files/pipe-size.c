// expect: verified
// broken: error kind=hang
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
static char page[4096];
int main(void)
{
	int p[2];
	assert(pipe2(p, O_CLOEXEC) == 0 && fcntl(p[0], F_GETPIPE_SZ) == 65536);
	assert(fcntl(p[1], F_SETPIPE_SZ, 100) == 4096 && fcntl(p[0], F_GETPIPE_SZ) == 4096);
	assert(write(p[1], page, 4096) == 4096);
#ifdef BROKEN
	write(p[1], page, 1);
#endif
	assert(fcntl(p[1], F_SETFL, O_NONBLOCK) == 0 && write(p[1], page, 1) == -1 && errno == EAGAIN);
	assert(fcntl(p[1], F_SETPIPE_SZ, 4097) == 8192 && write(p[1], page, 1) == 1);
	assert(fcntl(p[1], F_SETPIPE_SZ, 4096) == -1 && errno == EBUSY);
	assert(fcntl(p[1], F_SETPIPE_SZ, 2000000) == -1 && errno == EPERM);
	assert(fcntl(p[1], F_SETPIPE_SZ, 0) == 4096 || errno == EBUSY);
	int fd = open("/tmp/f", O_CREAT | O_RDWR | O_TRUNC, 0600);
	assert(fcntl(fd, F_GETPIPE_SZ) == -1 && errno == EBADF);
	assert(pipe2(p, O_APPEND) == -1 && errno == EINVAL);
}
