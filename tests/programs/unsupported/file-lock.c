// expect: inconclusive reason="a lock of a file (flock)" line=12
// broken: inconclusive reason="a lock of what is no ordinary file (fcntl)" line=10
#include <fcntl.h>
#include <sys/file.h>

int main(void)
{
#ifdef BROKEN
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	return fcntl(1, F_SETLK, &lock);
#else
	return flock(1, LOCK_EX);
#endif
}
