/* Sockets: pairs of them, shutting down, options, and what passes through them. A connection is two
 * queues, one for each direction. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include "impasse_machine.h"
#include "kernel.h"
#include "sockets.h"

struct inode *__impasse_new_direction(void)
{
	struct inode *queue = __impasse_new_inode(SOCKET, 0777);
	if (queue) {
		queue->readers = queue->writers = 1;
		queue->has_room = 1;
	}
	return queue;
}

static long make_pair_for_datagrams(int type, int ends[2])
{
	long first = __impasse_make_socket(AF_UNIX, type, 0);
	long second = first < 0 ? first : __impasse_make_socket(AF_UNIX, type, 0);
	if (second < 0) {
		if (first >= 0)
			__impasse_close((int)first);
		return second;
	}
	struct endpoint *one = __impasse_description((int)first)->inode->endpoint;
	struct endpoint *other = __impasse_description((int)second)->inode->endpoint;
	one->mate = other;
	other->mate = one;
	one->is_of_pair = other->is_of_pair = 1;
	ends[0] = (int)first;
	ends[1] = (int)second;
	return 0;
}

static long make_pair(int domain, int type, int ends[2])
{
	int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (domain == AF_UNIX && kind == SOCK_DGRAM)
		return make_pair_for_datagrams(type, ends);
	if (domain != AF_UNIX || kind != SOCK_STREAM)
		__impasse_unsupported("a pair of sockets other than SOCK_STREAM and SOCK_DGRAM of AF_UNIX");
	struct inode *there = __impasse_new_direction(), *back = there ? __impasse_new_direction() : 0;
	long first = back ? __impasse_place_new(back, there, O_RDWR | (type & ~SOCK_STREAM)) : -ENOMEM;
	if (first < 0) {
		if (there)
			__impasse_release_inode(there);
		if (back)
			__impasse_release_inode(back);
		return first;
	}
	long second = __impasse_place_new(there, back, O_RDWR | (type & ~SOCK_STREAM));
	if (second < 0) {
		__impasse_close((int)first);
		return second;
	}
	ends[0] = (int)first;
	ends[1] = (int)second;
	return 0;
}

/* A set of directions has one bit for each. */
void __impasse_shut_down(struct description *d, int directions)
{
	int new = directions & ~d->stopped;
	d->stopped |= new;
	if (new & 1 << SHUT_RD) {
		d->inode->readers = 0;
		__impasse_update(d->inode, EVERY_EVENT);
	}
	if (new & 1 << SHUT_WR) {
		d->out->writers = 0;
		__impasse_update(d->out, EVERY_EVENT);
	}
}

long __impasse_socket(int fd, struct description **d)
{
	*d = __impasse_description(fd);
	if (!*d)
		return -EBADF;
	return (*d)->inode->kind == SOCKET ? 0 : -ENOTSOCK;
}

static long shut_down(int fd, int how)
{
	struct description *d;
	long error = __impasse_socket(fd, &d);
	if (error)
		return error;
	if (how < SHUT_RD || how > SHUT_RDWR)
		return -EINVAL;
	struct endpoint *endpoint = d->inode->endpoint;
	if (endpoint && endpoint->datagrams)
		__impasse_unsupported("shutting down a socket for datagrams");
	if (d->out)
		__impasse_shut_down(d, how == SHUT_RDWR ? 1 << SHUT_RD | 1 << SHUT_WR : 1 << how);
	else if (endpoint->domain != AF_UNIX && !endpoint->listens)
		return -ENOTCONN;
	else if (!endpoint->listens)
		endpoint->shut = 1;
	else if (how != SHUT_WR)
		__impasse_shut_listener(endpoint);
	return 0;
}

void __impasse_close_endpoint(struct inode *inode)
{
	struct endpoint *endpoint = inode->endpoint;
	if (endpoint->listens)
		__impasse_stop_listening(endpoint);
	if (endpoint->datagrams)
		__impasse_end_datagrams(endpoint);
	__impasse_forget_name(endpoint);
	inode->endpoint = 0;
	free(endpoint);
}

int __impasse_is_for_datagrams(const struct inode *inode)
{
	return inode->endpoint && inode->endpoint->datagrams;
}

long __impasse_unconnected(const struct inode *inode, int writing)
{
	if (inode->endpoint->domain == AF_INET)
		return writing ? -EPIPE : -ENOTCONN;
	return writing ? -ENOTCONN : -EINVAL;
}

static long bind_to(int fd, const void *name, unsigned length)
{
	struct description *d;
	long error = __impasse_socket(fd, &d);
	if (error)
		return error;
	return d->inode->endpoint ? __impasse_name_socket(d->inode->endpoint, name, length) : -EINVAL;
}

/* The socket's own address, or that of the other end. */
static long give_name(int fd, void *to, unsigned *length, int peer)
{
	struct description *d;
	long error = __impasse_socket(fd, &d);
	if (error)
		return error;
	const struct endpoint *endpoint = d->inode->endpoint;
	if (peer && !d->out && !(endpoint->datagrams && (endpoint->peer || endpoint->mate)))
		return -ENOTCONN;
	const struct address *address = !endpoint ? 0 : peer ? endpoint->peer : endpoint->own;
	if (!address && endpoint && endpoint->domain == AF_INET) {
		struct sockaddr_in none = {.sin_family = AF_INET};
		unsigned size = sizeof none;
		memcpy(to, &none, size < *length ? size : *length);
		*length = size;
		return 0;
	}
	__impasse_give_address(address, endpoint ? endpoint->domain : AF_UNIX, to, length);
	return 0;
}

/* Whether an option changes nothing here: it is about addresses that were used before, or about when data travel. */
static int changes_nothing(const struct endpoint *endpoint, int level, int name)
{
	int is_stream = !endpoint || !endpoint->datagrams;
	if (level == IPPROTO_TCP)
		return name == TCP_NODELAY || name == TCP_QUICKACK;
	return level == SOL_SOCKET && (name == SO_KEEPALIVE || (name == SO_REUSEADDR && is_stream));
}

static long set_option(int fd, int level, int name)
{
	struct description *d;
	long error = __impasse_socket(fd, &d);
	if (error)
		return error;
	if (!changes_nothing(d->inode->endpoint, level, name))
		__impasse_unsupported("an option of a socket other than SO_REUSEADDR of streams, SO_KEEPALIVE, TCP_NODELAY and TCP_QUICKACK");
	return 0;
}

static long get_option(int fd, int level, int name, void *to, unsigned *length)
{
	struct description *d;
	long error = __impasse_socket(fd, &d);
	if (error)
		return error;
	const struct endpoint *endpoint = d->inode->endpoint;
	int value;
	if (level != SOL_SOCKET)
		__impasse_unsupported("the value of an option of a protocol (getsockopt)");
	switch (name) {
	case SO_TYPE: value = endpoint && endpoint->datagrams ? SOCK_DGRAM : SOCK_STREAM; break;
	case SO_DOMAIN: value = endpoint ? endpoint->domain : AF_UNIX; break;
	case SO_ACCEPTCONN: value = endpoint && endpoint->listens; break;
	case SO_ERROR:
		if (endpoint && endpoint->datagrams)
			__impasse_unsupported("the error of a socket for datagrams (SO_ERROR)");
		value = d->inode->reset ? ECONNRESET : 0;
		d->inode->reset = 0;
		break;
	default: __impasse_unsupported("the value of an option of a socket other than its error and its kind (getsockopt)");
	}
	memcpy(to, &value, *length < sizeof value ? *length : sizeof value);
	if (*length > sizeof value)
		*length = sizeof value;
	return 0;
}

long __impasse_socket_call(long n, long a, long b, long c, long d, long e)
{
	int fd = (int)a;
	switch (n) {
	case SYS_socketpair: return make_pair(fd, (int)b, (void *)d);
	case SYS_socket: return __impasse_make_socket((int)a, (int)b, (int)c);
	case SYS_bind: return bind_to(fd, (void *)b, (unsigned)c);
	case SYS_listen: return __impasse_listen(fd, (int)b);
	case SYS_getsockname: return give_name(fd, (void *)b, (void *)c, 0);
	case SYS_getpeername: return give_name(fd, (void *)b, (void *)c, 1);
	case SYS_setsockopt: return set_option(fd, (int)b, (int)c);
	case SYS_getsockopt: return get_option(fd, (int)b, (int)c, (void *)d, (void *)e);
	default: return shut_down(fd, (int)b);
	}
}

static long transfer(int fd, const struct iovec *parts, int count, int flags, const struct socket_name *name, int writing)
{
	if (flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_CMSG_CLOEXEC))
		__impasse_unsupported("flags of send and recv other than MSG_DONTWAIT and MSG_NOSIGNAL");
	__impasse_atomic_begin();
	struct description *d;
	long error = __impasse_socket(fd, &d);
	/* Who has sent what a stream brings is not said. */
	if (!error && !writing && name->length && !__impasse_is_for_datagrams(d->inode))
		*name->length = 0;
	__impasse_atomic_end();
	if (error)
		return error;
	int wait = flags & MSG_DONTWAIT ? O_NONBLOCK : 0;
	if (!writing)
		return __impasse_receive(fd, parts, count, wait, name);
	long result = __impasse_send(fd, parts, count, -1, wait, name);
	if (result == -EPIPE && !(flags & MSG_NOSIGNAL))
		raise(SIGPIPE);
	return result;
}

/* sendto and recvfrom have a buffer `a` of `b` bytes; sendmsg and recvmsg a message `a`. Addresses are of datagrams: streams are
 * connected. */
long __impasse_transfer_message(long n, int fd, long a, long b, int flags, struct socket_name name)
{
	struct iovec one = {(void *)a, (size_t)b};
	if (n == SYS_sendto || n == SYS_recvfrom)
		return transfer(fd, &one, 1, flags, &name, n == SYS_sendto);
	struct msghdr *message = (void *)a;
	if (n == SYS_sendmsg && message->msg_controllen)
		__impasse_unsupported("sendmsg with control data (passing descriptors)");
	name = (struct socket_name){message->msg_name, &message->msg_namelen};
	if (n == SYS_recvmsg) {
		message->msg_controllen = 0;
		message->msg_flags = 0;
	}
	if (n == SYS_recvmsg && !message->msg_name)
		message->msg_namelen = 0;
	return transfer(fd, message->msg_iov, (int)message->msg_iovlen, flags, &name, n == SYS_sendmsg);
}
