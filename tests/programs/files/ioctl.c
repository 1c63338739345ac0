// expect: verified
// broken: error kind=assertion line=33
// environment: 41 isatty() finds no terminal
// broken-environment: 
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
static int waiting(int fd)
{
	int n = -1;
	return ioctl(fd, FIONREAD, &n) ? -1 : n;
}
int main(void)
{
	int p[2], s[2], on = 1, off = 0;
	char c;
	assert(pipe(p) == 0 && waiting(p[0]) == 0);
	assert(write(p[1], "abc", 3) == 3 && waiting(p[0]) == 3 && waiting(p[1]) == 3);
	assert(ioctl(p[0], FIONBIO, &on) == 0 && (fcntl(p[0], F_GETFL) & O_NONBLOCK));
	assert(read(p[0], &c, 1) == 1 && waiting(p[0]) == 2);
	assert(read(p[0], &c, 1) == 1 && read(p[0], &c, 1) == 1);
	assert(read(p[0], &c, 1) == -1 && errno == EAGAIN);
	assert(ioctl(p[0], FIONBIO, &off) == 0 && !(fcntl(p[0], F_GETFL) & O_NONBLOCK));
	assert(ioctl(p[0], FIOCLEX) == 0 && fcntl(p[0], F_GETFD) == FD_CLOEXEC);
	assert(ioctl(p[0], FIONCLEX) == 0 && fcntl(p[0], F_GETFD) == 0);
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0 && write(s[0], "ab", 2) == 2);
#ifdef BROKEN
	assert(waiting(s[0]) == 2);
#endif
	assert(waiting(s[0]) == 0 && waiting(s[1]) == 2);
	int fd = open("/tmp/f", O_CREAT | O_RDWR | O_TRUNC, 0600);
	assert(write(fd, "abcd", 4) == 4 && waiting(fd) == 0);
	assert(lseek(fd, 1, SEEK_SET) == 1 && waiting(fd) == 3);
	int e = eventfd(1, 0);
	assert(waiting(e) == -1 && errno == ENOTTY && waiting(60) == -1 && errno == EBADF);
	assert(!isatty(fd) && errno == ENOTTY);
}
