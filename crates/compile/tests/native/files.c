/* The file system in memory, from the program's side. */
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void standard_input(void)
{
	char line[80], word[80];
	int n;
	double x;
	assert(fgets(line, sizeof line, stdin) && !strcmp(line, "first line\n"));
	assert(scanf("%d %lf %79s", &n, &x, word) == 3 && n == 2 && x == 3.5 && !strcmp(word, "word"));
	assert(fgetc(stdin) == '\n' && fgetc(stdin) == EOF && feof(stdin));
}

static void snapshot(void)
{
	char line[80];
	FILE *f = fopen("/data/hello.txt", "r+");
	assert(f && fgets(line, sizeof line, f) && !strcmp(line, "hello, file\n"));
	assert(!fseek(f, 0, SEEK_END) && fputs("more\n", f) >= 0 && !fclose(f));
	struct stat st;
	assert(!stat("data/hello.txt", &st) && st.st_size == 17 && S_ISREG(st.st_mode));
	assert(!stat("data", &st) && S_ISDIR(st.st_mode));
	assert(stat("top.txt/x", &st) == -1 && errno == ENOTDIR);
	assert(!fopen("missing", "r") && errno == ENOENT);
}

static void reading_and_writing(void)
{
	char buffer[16] = {0};
	int fd = open("/tmp/a", O_RDWR | O_CREAT | O_EXCL, 0600);
	assert(fd == 3 && write(fd, "0123456789", 10) == 10);
	assert(open("/tmp/a", O_RDWR | O_CREAT | O_EXCL, 0600) == -1 && errno == EEXIST);
	assert(lseek(fd, -4, SEEK_END) == 6 && read(fd, buffer, 16) == 4 && !strcmp(buffer, "6789"));
	assert(pwrite(fd, "xy", 2, 12) == 2 && pread(fd, buffer, 4, 9) == 4 && !memcmp(buffer, "9\0\0x", 4));
	assert(!ftruncate(fd, 3) && lseek(fd, 0, SEEK_SET) == 0 && read(fd, buffer, 16) == 3);
	int copy = dup(fd);
	assert(copy == 4 && !close(fd) && lseek(copy, 0, SEEK_CUR) == 3 && !close(copy));
	assert(read(copy, buffer, 1) == -1 && errno == EBADF);
	int append = open("/tmp/a", O_WRONLY | O_APPEND);
	assert(append == 3 && write(append, "34", 2) == 2 && read(append, buffer, 1) == -1 && errno == EBADF);
	assert(!close(append));
	assert(open("/tmp", O_WRONLY) == -1 && errno == EISDIR);
	assert(!unlink("/tmp/a") && access("/tmp/a", F_OK) == -1);
}

static void folders(void)
{
	char path[64], target[16] = {0};
	assert(!mkdir("d", 0755) && !mkdir("d/e", 0755) && mkdir("d", 0755) == -1 && errno == EEXIST);
	assert(!chdir("d/e") && getcwd(path, sizeof path) && !strcmp(path, "/d/e"));
	FILE *f = fopen("../f", "w");
	assert(f && !fclose(f) && !rename("../f", "g") && rename("/d", "/d/e/d") == -1 && errno == EINVAL);
	assert(!symlink("e/g", "/d/l") && readlink("/d/l", target, 15) == 3 && !strcmp(target, "e/g"));
	assert(!access("/d/l", R_OK) && !link("/d/l", "../h") && rmdir("/d/e") == -1 && errno == ENOTEMPTY);
	assert(!chdir("/") && !unlink("d/e/g") && access("d/l", F_OK) == -1 && errno == ENOENT && !rmdir("d/e"));
	DIR *dir = opendir("/d");
	int found = 0;
	for (struct dirent *entry; (entry = readdir(dir));)
		found = found * 10 + (entry->d_type == DT_DIR ? 1 : entry->d_type == DT_LNK ? 2 : 9);
	assert(found == 1122 && !closedir(dir));
}

static void pipes_and_devices(void)
{
	int ends[2];
	char buffer[8];
	assert(!pipe(ends) && write(ends[1], "abc", 3) == 3 && read(ends[0], buffer, 8) == 3);
	struct pollfd ready = {ends[0], POLLIN, 0};
	assert(poll(&ready, 1, 0) == 0 && write(ends[1], "d", 1) == 1 && poll(&ready, 1, 0) == 1);
	assert(!close(ends[1]) && read(ends[0], buffer, 8) == 1 && read(ends[0], buffer, 8) == 0 && !close(ends[0]));
	int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDONLY), random = open("/dev/urandom", O_RDONLY);
	assert(write(null, "x", 1) == 1 && read(null, buffer, 1) == 0);
	assert(read(zero, buffer, 8) == 8 && buffer[7] == 0 && read(random, buffer, 2) == 2 && buffer[1] == 7);
	assert(isatty(1) == 0 && errno == ENOTTY);
}

int main(void)
{
	standard_input();
	snapshot();
	reading_and_writing();
	folders();
	pipes_and_devices();
	puts("files work");
	return 0;
}
