// expect: verified
// broken: error kind=assertion line=17
// environment: 12 the file "locked" does not exist
// Locks of a process never exclude it.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	int file = open("locked", O_RDWR | O_CREAT, 0600), again = open("locked", O_RDONLY);
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	assert(!fcntl(file, F_SETLKW, &lock));
#ifdef BROKEN
	/* For reading only. */
	assert(!fcntl(again, F_SETLK, &lock));
#endif
	assert(fcntl(again, F_SETLK, &lock) == -1 && errno == EBADF);
	assert(!fcntl(again, F_GETLK, &lock) && lock.l_type == F_UNLCK);
	assert(!lockf(file, F_LOCK, 0) && !lockf(file, F_TEST, 0) && !lockf(file, F_ULOCK, 0));
	lock.l_type = 77;
	assert(fcntl(file, F_SETLK, &lock) == -1 && errno == EINVAL);
	return 0;
}
