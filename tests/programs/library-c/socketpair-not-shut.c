// expect: error kind=hang line=15 message="can never return from read"
// No thread shuts the socket down.
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *answer(void *unused)
{
	char question[8];
	long n;
	do {
		n = read(ends[1], question, sizeof question);
	} while (n > 0);
	return unused;
}

int main(void)
{
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	pthread_t thread;
	pthread_create(&thread, 0, answer, 0);
	write(ends[0], "ping", 4);
	pthread_join(thread, 0);
	return 0;
}
