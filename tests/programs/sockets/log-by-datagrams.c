// expect: verified
// broken: error kind=assertion
// environment: 25 the file "log" does not exist
// Two threads send lines to a third one. Each datagram comes whole, but the threads' come in any order.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un log = {AF_UNIX, "log"};

static void *work(void *line)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	assert(sendto(fd, line, strlen(line), 0, (struct sockaddr *)&log, sizeof log) == (long)strlen(line));
	close(fd);
	return 0;
}

int main(void)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	assert(bind(fd, (struct sockaddr *)&log, sizeof log) == 0);
	pthread_t threads[2];
	pthread_create(&threads[0], 0, work, "first");
	pthread_create(&threads[1], 0, work, "second");
	int seen = 0;
	for (int i = 0; i < 2; i++) {
		char line[16] = {0};
		assert(recv(fd, line, sizeof line, 0) > 0);
#ifdef BROKEN
		assert(!strcmp(line, i ? "second" : "first"));
#endif
		assert(!strcmp(line, "first") || !strcmp(line, "second"));
		seen += line[0] == 'f' ? 1 : 2;
	}
	assert(seen == 3);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	close(fd);
	return unlink("log");
}
