// Streams of AF_UNIX and AF_INET in one thread: names, errors, what waits, and what ends.
// models: lp64
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static void say(const char *what, long result)
{
	printf("%s: %ld %d\n", what, result, result < 0 ? errno : 0);
}

static struct sockaddr_un by_path(const char *path)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	strcpy(name.sun_path, path);
	return name;
}

static long ready(int fd, short events)
{
	struct pollfd p = {fd, events, 0};
	poll(&p, 1, 0);
	return p.revents & ~(POLLRDNORM | POLLWRNORM);
}

static void by_paths(void)
{
	struct sockaddr_un name = by_path("door"), nobody = by_path("nowhere"), other = {0};
	struct sockaddr *at = (struct sockaddr *)&name;
	char text[16] = {0};
	int door = socket(AF_UNIX, SOCK_STREAM, 0), guest = socket(AF_UNIX, SOCK_STREAM, 0);
	say("listen without a name", listen(door, 1));
	say("accept without listening", accept(door, 0, 0));
	say("connect to nobody", connect(guest, (struct sockaddr *)&nobody, sizeof nobody));
	say("bind", bind(door, at, sizeof name));
	say("bind again", bind(door, at, sizeof name));
	say("bind what has the name", bind(guest, at, sizeof name));
	say("connect to what does not listen", connect(guest, at, sizeof name));
	struct stat st;
	say("stat", stat("door", &st));
	say("is a socket", S_ISSOCK(st.st_mode));
	say("open", open("door", O_RDWR));
	say("read unconnected", read(guest, text, 1));
	say("write unconnected", write(guest, text, 1));
	say("peer unconnected", getpeername(guest, at, &(socklen_t){sizeof name}));
	say("ready unconnected", ready(guest, POLLIN | POLLOUT));
	say("listen", listen(door, 1));
	say("ready before", ready(door, POLLIN | POLLOUT));
	say("connect", connect(guest, at, sizeof name));
	say("connect again", connect(guest, at, sizeof name));
	say("ready after", ready(door, POLLIN | POLLOUT));
	say("write", write(guest, "early", 5));
	socklen_t length = sizeof other;
	int host = accept4(door, (struct sockaddr *)&other, &length, SOCK_NONBLOCK);
	say("accept", host >= 0);
	say("a guest without a name", length);
	say("family", other.sun_family);
	say("read", read(host, text, sizeof text));
	puts(text);
	say("read more", read(host, text, sizeof text));
	length = sizeof other;
	say("name", getsockname(host, (struct sockaddr *)&other, &length));
	printf("%d %s\n", (int)(length - offsetof(struct sockaddr_un, sun_path)), other.sun_path);
	length = 4;
	say("name that is cut", getsockname(host, (struct sockaddr *)&other, &length));
	say("its length", length);
	say("remove", unlink("door"));
	int late = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	say("connect to a removed name", connect(late, at, sizeof name));
	close(guest);
	say("read after the end", read(host, text, sizeof text));
	say("write after the end", send(host, "x", 1, MSG_NOSIGNAL));
	close(host);
	close(late);
	close(door);
}

static void without_paths(void)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	memcpy(name.sun_path, "\0impasse-hidden", 15);
	socklen_t length = offsetof(struct sockaddr_un, sun_path) + 15;
	struct sockaddr *at = (struct sockaddr *)&name;
	int door = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	say("bind without a path", bind(door, at, length));
	say("bind again", bind(door, at, length));
	listen(door, 0);
	say("accept nobody", accept(door, 0, 0));
	int guests[3];
	for (int i = 0; i < 3; i++)
		guests[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	say("first guest", connect(guests[0], at, length));
	say("second guest", connect(guests[1], at, length));
	say("no shorter name", connect(guests[1], at, length - 1));
	int host = accept(door, 0, 0);
	say("second guest has room", connect(guests[1], at, length));
	write(guests[0], "unread", 6);
	close(host);
	char text[8];
	say("reset", read(guests[0], text, sizeof text));
	say("then the end", read(guests[0], text, sizeof text));
	say("shut the door", shutdown(door, SHUT_RDWR));
	host = accept(door, 0, 0);
	say("accept who waits behind it", host >= 0);
	say("accept behind it", accept(door, 0, 0));
	say("connect to it", connect(guests[2], at, length));
	say("left alone", read(guests[1], text, sizeof text));
	say("shut what is not connected", shutdown(guests[2], SHUT_RDWR));
	for (int i = 0; i < 3; i++)
		close(guests[i]);
	close(door);
	door = socket(AF_UNIX, SOCK_STREAM, 0);
	say("the name is free", bind(door, at, length));
	close(door);
}

static void by_ports(void)
{
	struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}}, other;
	struct sockaddr *at = (struct sockaddr *)&name;
	char text[8] = {0};
	int door = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP), one = 1;
	say("udp of a stream", socket(AF_INET, SOCK_STREAM, IPPROTO_UDP));
	say("option", setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one));
	say("no delay", setsockopt(door, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one));
	socklen_t length = sizeof other;
	getsockname(door, (struct sockaddr *)&other, &length);
	say("no port yet", other.sin_port);
	say("short name", bind(door, at, 4));
	name.sin_family = AF_UNIX;
	say("other family", bind(door, at, sizeof name));
	name.sin_family = AF_INET;
	say("bind", bind(door, at, sizeof name));
	length = sizeof name;
	getsockname(door, at, &length);
	say("a free port", ntohs(name.sin_port) >= 1024);
	int guest = socket(AF_INET, SOCK_STREAM, 0);
	say("taken", bind(guest, at, sizeof name));
	say("refused", connect(guest, at, sizeof name));
	close(guest);
	say("listen", listen(door, 8));
	guest = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	say("write unconnected", send(guest, "x", 1, MSG_NOSIGNAL));
	say("read unconnected", read(guest, text, 1));
	say("connect without waiting", connect(guest, at, sizeof name));
	struct pollfd p = {guest, POLLOUT, 0};
	say("connected", poll(&p, 1, -1));
	int error = 1;
	length = sizeof error;
	getsockopt(guest, SOL_SOCKET, SO_ERROR, &error, &length);
	say("no error", error);
	length = sizeof other;
	int host = accept(door, (struct sockaddr *)&other, &length);
	say("accept", host >= 0);
	struct sockaddr_in own;
	length = sizeof own;
	getsockname(guest, (struct sockaddr *)&own, &length);
	say("peer is the guest", own.sin_port == other.sin_port && own.sin_addr.s_addr == other.sin_addr.s_addr);
	length = sizeof own;
	getpeername(guest, (struct sockaddr *)&own, &length);
	say("peer is the host", own.sin_port == name.sin_port);
	getsockopt(door, SOL_SOCKET, SO_ACCEPTCONN, &error, &(socklen_t){sizeof error});
	say("listens", error);
	getsockopt(host, SOL_SOCKET, SO_TYPE, &error, &(socklen_t){sizeof error});
	say("stream", error == SOCK_STREAM);
	say("write", write(host, "abc", 3));
	p.events = POLLIN;
	poll(&p, 1, -1);
	say("read", read(guest, text, sizeof text));
	puts(text);
	shutdown(host, SHUT_WR);
	poll(&p, 1, -1);
	say("end", read(guest, text, sizeof text));
	int late = socket(AF_INET, SOCK_STREAM, 0);
	say("connect", connect(late, at, sizeof name));
	say("shut the sending half of the door", shutdown(door, SHUT_WR));
	say("shut the door", shutdown(door, SHUT_RD));
	say("accept behind it", accept(door, 0, 0));
	say("reset", read(late, text, sizeof text));
	close(late);
	close(host);
	close(guest);
	close(door);
}

static void fifos(void)
{
	char text[8] = {0};
	say("fifo", mkfifo("queue", 0600));
	say("again", mkfifo("queue", 0600));
	say("no reader", open("queue", O_WRONLY | O_NONBLOCK));
	int reader = open("queue", O_RDONLY | O_NONBLOCK);
	say("no writer", read(reader, text, sizeof text));
	int writer = open("queue", O_WRONLY);
	say("empty", read(reader, text, sizeof text));
	say("write", write(writer, "abc", 3));
	close(writer);
	say("read", read(reader, text, 2));
	say("read the rest", read(reader, text, sizeof text));
	say("end", read(reader, text, sizeof text));
	writer = open("queue", O_WRONLY);
	write(writer, "lost", 4);
	close(writer);
	close(reader);
	int both = open("queue", O_RDWR | O_NONBLOCK);
	say("what nobody read", read(both, text, sizeof text));
	struct stat st;
	stat("queue", &st);
	say("is a fifo", S_ISFIFO(st.st_mode));
	close(both);
	say("remove", unlink("queue"));
	say("node", mknod("plain", S_IFREG | 0600, 0));
	say("remove", unlink("plain"));
}

int main(void)
{
	char folder[] = "/tmp/sockets-XXXXXX";
	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	by_paths();
	without_paths();
	by_ports();
	fifos();
	return rmdir(folder) != 0;
}
