// expect: verified
// A question and its answer over a pair of sockets.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *answer(void *unused)
{
	char question[8] = {0};
	while (recv(ends[1], question, sizeof question, 0) > 0)
		send(ends[1], question, strlen(question), 0);
	close(ends[1]);
	return unused;
}

int main(void)
{
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	pthread_t thread;
	pthread_create(&thread, 0, answer, 0);
	char reply[8] = {0};
	write(ends[0], "ping", 4);
	assert(read(ends[0], reply, sizeof reply) == 4 && !strcmp(reply, "ping"));
	shutdown(ends[0], SHUT_WR);
	assert(read(ends[0], reply, sizeof reply) == 0);
	pthread_join(thread, 0);
	return 0;
}
