// expect: verified
// broken: error kind=assertion line=20
// The names of glibc that end in 64 are there.
#include <cassert>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main()
{
	int ends[2];
	assert(!pipe(ends));
	struct stat64 status;
	assert(!fstat64(ends[0], &status) && S_ISFIFO(status.st_mode));
	off64_t place = lseek64(ends[0], 0, SEEK_CUR);
#ifndef BROKEN
	assert(place == -1 && errno == ESPIPE);
#else
	assert(place == 0);
#endif
	return 0;
}
