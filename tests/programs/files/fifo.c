// expect: verified
// broken: error kind=hang message="can never return from open"
// environment: 26 the file "queue" does not exist
// To open a named pipe waits for who opens its other end.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void *write_to_it(void *unused)
{
#ifdef BROKEN
	int fd = open("queue", O_RDONLY);
#else
	int fd = open("queue", O_WRONLY);
	assert(write(fd, "news", 4) == 4);
#endif
	close(fd);
	return unused;
}

int main(void)
{
	assert(mkfifo("queue", 0600) == 0);
	pthread_t thread;
	pthread_create(&thread, 0, write_to_it, 0);
	int fd = open("queue", O_RDONLY);
	char news[5] = {0};
	assert(read(fd, news, 4) == 4 && !strcmp(news, "news"));
	assert(read(fd, news, 4) == 0);
	close(fd);
	pthread_join(thread, 0);
	return unlink("queue");
}
