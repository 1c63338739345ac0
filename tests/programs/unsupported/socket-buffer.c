// expect: inconclusive reason="an option of a socket"
// How much a socket holds decides who waits.
#include <sys/socket.h>

int main(void)
{
	int ends[2], size = 1;
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	return setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}
