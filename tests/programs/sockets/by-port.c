// expect: verified
// broken: error kind=assertion
// A server and its client, over a port that the kernel chooses. The broken client starts before the
// server listens, and may be refused.
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in at = {.sin_family = AF_INET};

static void *client(void *unused)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	assert(connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
	assert(write(fd, "ping", 4) == 4);
	char reply[4];
	assert(read(fd, reply, sizeof reply) == 4 && !memcmp(reply, "pong", 4));
	close(fd);
	return unused;
}

int main(void)
{
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	int door = socket(AF_INET, SOCK_STREAM, 0);
	assert(bind(door, (struct sockaddr *)&at, sizeof at) == 0);
	socklen_t length = sizeof at;
	getsockname(door, (struct sockaddr *)&at, &length);
	pthread_t thread;
#ifdef BROKEN
	pthread_create(&thread, 0, client, 0);
	listen(door, 1);
#else
	listen(door, 1);
	pthread_create(&thread, 0, client, 0);
#endif
	int fd = accept(door, 0, 0);
	char question[4];
	assert(read(fd, question, sizeof question) == 4 && !memcmp(question, "ping", 4));
	assert(write(fd, "pong", 4) == 4);
	assert(read(fd, question, sizeof question) == 0);
	close(fd);
	close(door);
	pthread_join(thread, 0);
	return 0;
}
