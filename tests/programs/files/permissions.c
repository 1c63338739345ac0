// expect: verified
// broken: error kind=assertion line=29
// environment: 19 the file "/tmp/read" does not exist; 34 the file "/tmp/d" does not exist; 34 the file "/tmp/d/e" does not exist;
//     36 the file "/tmp/d/f" does not exist; 36 the file "/tmp/d/g" does not exist; 37 the file "/tmp/d/i" does not exist;
//     38 the file "/tmp/d/h" does not exist
// broken-environment: 19 the file "/tmp/read" does not exist
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
static int refused(long result)
{
	return result == -1 && errno == EACCES;
}
int main(void)
{
	int fd = open("/tmp/read", O_CREAT | O_WRONLY, 0400);
	assert(fd >= 0 && write(fd, "a", 1) == 1);
	close(fd);
	assert(refused(open("/tmp/read", O_RDWR)) && refused(open("/tmp/read", O_WRONLY | O_TRUNC)));
	assert(refused(truncate("/tmp/read", 0)) && refused(access("/tmp/read", W_OK)));
	assert(refused(access("/tmp/read", X_OK)) && access("/tmp/read", R_OK | F_OK) == 0);
	fd = open("/tmp/read", O_RDONLY);
	char c = 0;
	assert(fd >= 0 && read(fd, &c, 1) == 1 && c == 'a');
#ifdef BROKEN
	assert(rename("/tmp/read", "/tmp/other") == -1);
#endif
	assert(chmod("/tmp/read", 0200) == 0 && refused(open("/tmp/read", O_RDONLY)));
	assert(lseek(fd, 0, SEEK_SET) == 0 && read(fd, &c, 1) == 1);
	close(fd);
	assert(mkdir("/tmp/d", 0700) == 0 && mkdir("/tmp/d/e", 0700) == 0);
	assert(chmod("/tmp/d", 0500) == 0);
	assert(refused(open("/tmp/d/f", O_CREAT | O_RDWR, 0600)) && refused(mkdir("/tmp/d/g", 0700)));
	assert(refused(rmdir("/tmp/d/e")) && refused(rename("/tmp/read", "/tmp/d/h")) && refused(symlink("a", "/tmp/d/i")));
	assert(refused(link("/tmp/read", "/tmp/d/h")) && refused(rename("/tmp/d/e", "/tmp/j")));
	assert(chmod("/tmp/d", 0600) == 0);
	assert(refused(rmdir("/tmp/d/e")) && refused(access("/tmp/d/e", F_OK)) && refused(chdir("/tmp/d")));
	assert(chmod("/tmp/d", 0300) == 0 && refused(open("/tmp/d", O_RDONLY)));
	assert(rmdir("/tmp/d/e") == 0 && rmdir("/tmp/d") == 0);
	assert(unlink("/tmp/read") == 0);
}
