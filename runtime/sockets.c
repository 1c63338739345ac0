/* Pairs of connected sockets (socketpair): two queues, one for each direction. No other sockets exist. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include "files.h"
#include "impasse_machine.h"
#include "kernel.h"

static struct inode *new_direction(void)
{
	struct inode *queue = __impasse_new_inode(SOCKET, 0777);
	if (queue) {
		queue->readers = queue->writers = 1;
		queue->has_room = 1;
	}
	return queue;
}

static long make_pair(int domain, int type, int ends[2])
{
	int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (domain != AF_UNIX || kind != SOCK_STREAM)
		__impasse_unsupported("a pair of sockets that is not AF_UNIX, SOCK_STREAM");
	struct inode *there = new_direction(), *back = there ? new_direction() : 0;
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

static long shut_down(int fd, int how)
{
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	if (!d->out)
		return -ENOTSOCK;
	if (how < SHUT_RD || how > SHUT_RDWR)
		return -EINVAL;
	__impasse_shut_down(d, how == SHUT_RDWR ? 1 << SHUT_RD | 1 << SHUT_WR : 1 << how);
	return 0;
}

long __impasse_socket_call(long n, long a, long b, long c, long d)
{
	(void)c;
	return n == SYS_socketpair ? make_pair((int)a, (int)b, (void *)d) : shut_down((int)a, (int)b);
}

static long transfer(int fd, const struct iovec *parts, int count, int flags, int writing)
{
	if (flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_CMSG_CLOEXEC))
		__impasse_unsupported("flags of send and recv other than MSG_DONTWAIT and MSG_NOSIGNAL");
	__impasse_atomic_begin();
	struct description *d = __impasse_description(fd);
	long error = !d ? -EBADF : !d->out ? -ENOTSOCK : 0;
	__impasse_atomic_end();
	if (error)
		return error;
	int wait = flags & MSG_DONTWAIT ? O_NONBLOCK : 0;
	if (!writing)
		return __impasse_receive(fd, parts, count, wait);
	long result = __impasse_send(fd, parts, count, -1, wait);
	if (result == -EPIPE && !(flags & MSG_NOSIGNAL))
		raise(SIGPIPE);
	return result;
}

/* sendto and recvfrom have a buffer `a` of `b` bytes; sendmsg and recvmsg a message `a`. Addresses are not looked at: both ends are connected. */
long __impasse_transfer_message(long n, int fd, long a, long b, int flags)
{
	struct iovec one = {(void *)a, (size_t)b};
	if (n == SYS_sendto || n == SYS_recvfrom)
		return transfer(fd, &one, 1, flags, n == SYS_sendto);
	struct msghdr *message = (void *)a;
	if (n == SYS_sendmsg && message->msg_controllen)
		__impasse_unsupported("sendmsg with control data (passing descriptors)");
	if (n == SYS_recvmsg) {
		message->msg_controllen = 0;
		message->msg_namelen = 0;
		message->msg_flags = 0;
	}
	return transfer(fd, message->msg_iov, (int)message->msg_iovlen, flags, n == SYS_sendmsg);
}
