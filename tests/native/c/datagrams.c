// models: lp64
// Datagrams of AF_UNIX and AF_INET in one thread: names, borders between messages, errors, and what waits.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static void say(const char *what, long result)
{
	printf("%s: %ld %d\n", what, result, result < 0 ? errno : 0);
}

static long ready(int fd)
{
	struct pollfd p = {fd, POLLIN | POLLOUT, 0};
	poll(&p, 1, 0);
	return p.revents;
}

static void by_paths(void)
{
	struct sockaddr_un box = {AF_UNIX, "box"}, own = {AF_UNIX, "own"}, from;
	struct sockaddr *at = (struct sockaddr *)&box;
	char text[16] = {0};
	int receiver = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0), sender = socket(AF_UNIX, SOCK_DGRAM, 0);
	int stream = socket(AF_UNIX, SOCK_STREAM, 0);
	say("send to nobody", sendto(sender, "x", 1, 0, at, sizeof box));
	say("send without an address", send(sender, "x", 1, 0));
	say("bind", bind(receiver, at, sizeof box));
	say("listen", listen(receiver, 1));
	say("accept", accept(receiver, 0, 0));
	say("receive nothing", recv(receiver, text, sizeof text, 0));
	say("ready", ready(receiver));
	say("connect a stream", connect(stream, at, sizeof box));
	say("send", sendto(sender, "one", 3, 0, at, sizeof box));
	say("send an empty one", sendto(sender, "", 0, 0, at, sizeof box));
	say("ready", ready(receiver));
	socklen_t length = sizeof from;
	say("receive", recvfrom(receiver, text, sizeof text, 0, (struct sockaddr *)&from, &length));
	say("from a socket without a name", length);
	puts(text);
	say("receive the empty one", recv(receiver, text, sizeof text, 0));
	say("name the sender", bind(sender, (struct sockaddr *)&own, sizeof own));
	say("connect", connect(sender, at, sizeof box));
	say("peer", getpeername(sender, (struct sockaddr *)&from, &(socklen_t){sizeof from}));
	struct iovec parts[2] = {{"tw", 2}, {"ofold", 5}};
	say("send parts", writev(sender, parts, 2));
	length = sizeof from;
	memset(text, 0, sizeof text);
	say("receive what is cut", recvfrom(receiver, text, 3, 0, (struct sockaddr *)&from, &length));
	printf("%s from %s\n", text, from.sun_path);
	say("the rest is lost", recv(receiver, text, sizeof text, 0));
	struct msghdr message = {.msg_name = &own, .msg_namelen = sizeof own, .msg_iov = parts, .msg_iovlen = 1};
	say("send a message", sendmsg(receiver, &message, 0));
	struct iovec into = {text, sizeof text};
	message = (struct msghdr){.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &into, .msg_iovlen = 1};
	say("receive a message", recvmsg(sender, &message, 0));
	printf("from %s\n", from.sun_path);
	int stranger = socket(AF_UNIX, SOCK_DGRAM, 0);
	say("stranger", sendto(stranger, "x", 1, 0, (struct sockaddr *)&own, sizeof own));
	close(receiver);
	say("send to what was closed", send(sender, "x", 1, 0));
	say("connect to what was closed", connect(sender, at, sizeof box));
	close(stranger);
	close(stream);
	close(sender);
	unlink("box");
	unlink("own");
}

static void pairs(void)
{
	int ends[2];
	char text[16];
	say("pair", socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends));
	say("write", write(ends[0], "abc", 3));
	say("write", write(ends[0], "de", 2));
	say("read", read(ends[1], text, sizeof text));
	say("read", read(ends[1], text, sizeof text));
	say("read", read(ends[1], text, sizeof text));
	say("connected", connect(ends[0], (struct sockaddr *)&(struct sockaddr_un){AF_UNIX, "box"}, sizeof(struct sockaddr_un)) < 0);
	int type = 0;
	getsockopt(ends[0], SOL_SOCKET, SO_TYPE, &type, &(socklen_t){sizeof type});
	say("type", type == SOCK_DGRAM);
	close(ends[1]);
	say("write to nobody", write(ends[0], "x", 1));
	close(ends[0]);
}

static void by_ports(void)
{
	struct sockaddr_in box = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}}, from;
	struct sockaddr *at = (struct sockaddr *)&box;
	char text[16] = {0};
	int receiver = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP), sender = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	int stream = socket(AF_INET, SOCK_STREAM, 0);
	say("bind", bind(receiver, at, sizeof box));
	socklen_t length = sizeof box;
	getsockname(receiver, at, &length);
	say("a stream may have this port", bind(stream, at, sizeof box));
	say("without an address", send(sender, "x", 1, 0));
	say("send", sendto(sender, "one", 3, 0, at, sizeof box));
	length = sizeof from;
	getsockname(sender, (struct sockaddr *)&from, &length);
	say("has a port", from.sin_port != 0);
	say("of any address", from.sin_addr.s_addr == INADDR_ANY);
	length = sizeof from;
	say("receive", recvfrom(receiver, text, sizeof text, 0, (struct sockaddr *)&from, &length));
	say("from here", from.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
	say("answer", sendto(receiver, "two", 3, 0, (struct sockaddr *)&from, sizeof from));
	say("receive", recv(sender, text, sizeof text, 0));
	puts(text);
	static char large[70000];
	say("too large", sendto(sender, large, sizeof large, 0, at, sizeof box));
	say("connect", connect(sender, at, sizeof box));
	say("send", send(sender, "x", 1, 0));
	say("drop", recv(receiver, text, sizeof text, 0));
	say("stranger", sendto(stream, "x", 1, MSG_NOSIGNAL, at, sizeof box));
	close(receiver);
	say("nobody listens", send(sender, "x", 1, 0));
	say("as the next call says", send(sender, "x", 1, 0));
	say("but sends again", send(sender, "x", 1, 0));
	say("as the next call says", recv(sender, text, sizeof text, 0));
	close(sender);
	sender = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	say("lost", sendto(sender, "x", 1, 0, at, sizeof box));
	say("without a word", sendto(sender, "x", 1, 0, at, sizeof box));
	close(sender);
	close(stream);
}

int main(void)
{
	char folder[] = "/tmp/datagrams-XXXXXX";
	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	by_paths();
	pairs();
	by_ports();
	return rmdir(folder) != 0;
}
