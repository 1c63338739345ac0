/* Streams between sockets of this process: listening, connecting and accepting.
 *
 * A connection is there as soon as the socket that listens has room for it; who accepts it takes
 * its other end later. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include "impasse_machine.h"
#include "kernel.h"
#include "sockets.h"

struct endpoint *__impasse_new_endpoint(struct inode *inode, int domain)
{
	struct endpoint *endpoint = calloc(1, sizeof *endpoint);
	if (endpoint) {
		endpoint->inode = inode;
		endpoint->domain = domain;
		inode->endpoint = endpoint;
	}
	return endpoint;
}

long __impasse_make_socket(int domain, int type, int protocol)
{
	int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
	if ((kind != SOCK_STREAM && kind != SOCK_DGRAM) || (domain != AF_UNIX && domain != AF_INET))
		__impasse_unsupported("sockets other than streams and datagrams of AF_UNIX and AF_INET");
	if (protocol && (domain != AF_INET || protocol != (kind == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP)))
		return -EPROTONOSUPPORT;
	struct inode *inode = __impasse_new_inode(SOCKET, 0777);
	if (!inode)
		return -ENOMEM;
	struct endpoint *endpoint = __impasse_new_endpoint(inode, domain);
	if (endpoint)
		endpoint->datagrams = kind == SOCK_DGRAM;
	long fd = endpoint ? __impasse_place_new(inode, 0, O_RDWR | (type & ~kind)) : -ENOMEM;
	if (fd < 0) {
		free(endpoint);
		__impasse_release_inode(inode);
	}
	return fd;
}

/* After a change of who waits to be accepted, or of whether anyone can be. */
static void renew(struct endpoint *listener)
{
	struct inode *inode = listener->inode;
	int ended = !listener->listens || listener->shut;
	inode->has_data = listener->first || ended;
	inode->has_room = listener->waiting <= listener->most || ended;
	__impasse_wake_polls(inode, EVERY_EVENT);
}

long __impasse_listen(int fd, int most)
{
	struct description *d;
	long error = __impasse_socket(fd, &d);
	if (error)
		return error;
	struct endpoint *endpoint = d->inode->endpoint;
	if (endpoint && endpoint->datagrams)
		return -EOPNOTSUPP;
	if (!endpoint || d->out || (endpoint->domain == AF_UNIX && !endpoint->own))
		return -EINVAL;
	if ((error = __impasse_name_by_port(endpoint)))
		return error;
	endpoint->listens = 1;
	endpoint->most = most < 0 || most > SOMAXCONN ? SOMAXCONN : most;
	renew(endpoint);
	return 0;
}

static void release(struct inode *queue)
{
	queue->users--;
	__impasse_release_inode(queue);
}

/* Who waits to be accepted meets the end of the connection. */
void __impasse_stop_listening(struct endpoint *endpoint)
{
	endpoint->listens = 0;
	while (endpoint->first) {
		struct connection *connection = endpoint->first;
		endpoint->first = connection->next;
		connection->out->reset = 1;
		connection->out->writers = 0;
		connection->in->readers = 0;
		__impasse_update(connection->out, EVERY_EVENT);
		__impasse_update(connection->in, EVERY_EVENT);
		release(connection->in);
		release(connection->out);
		free(connection->peer);
		free(connection);
	}
	endpoint->waiting = 0;
	renew(endpoint);
}

/* Linux lets those who wait at a socket of AF_UNIX be accepted still. */
void __impasse_shut_listener(struct endpoint *endpoint)
{
	if (endpoint->domain != AF_UNIX) {
		__impasse_stop_listening(endpoint);
		return;
	}
	endpoint->shut = 1;
	renew(endpoint);
}

short __impasse_ready_unconnected(const struct inode *inode, short events)
{
	const struct endpoint *endpoint = inode->endpoint;
	if (endpoint && endpoint->datagrams)
		return __impasse_ready_for_datagrams(endpoint) & events;
	if (endpoint && endpoint->listens)
		return endpoint->first ? events & (POLLIN | POLLRDNORM) : 0;
	return (events & (POLLOUT | POLLWRNORM)) | POLLHUP;
}

static void enqueue(struct endpoint *listener, struct connection *connection)
{
	struct connection **end = &listener->first;
	while (*end)
		end = &(*end)->next;
	*end = connection;
	listener->waiting++;
	renew(listener);
}

/* Connects a socket to one that listens and has room. */
static long join(struct description *d, struct endpoint *from, struct endpoint *to)
{
	struct connection *connection = calloc(1, sizeof *connection);
	struct inode *there = connection ? __impasse_new_direction() : 0, *back = d->inode;
	if (!there) {
		free(connection);
		return -ENOMEM;
	}
	back->readers = back->writers = 1;
	d->out = there;
	there->users += 2;
	back->users++;
	connection->in = there;
	connection->out = back;
	connection->peer = __impasse_copy_address(from->own);
	from->peer = __impasse_copy_address(to->own);
	__impasse_update(back, EVERY_EVENT);
	enqueue(to, connection);
	return 0;
}

/* Sets *wait to who listens if it has no room yet. */
static long try_to_connect(int fd, const void *name, unsigned length, struct inode **wait)
{
	struct description *d;
	struct endpoint *to = 0;
	long error = __impasse_socket(fd, &d);
	if (error)
		return error;
	struct endpoint *from = d->inode->endpoint;
	if (!from || d->out)
		return -EISCONN;
	if (from->datagrams)
		return __impasse_choose_peer(from, name, length);
	if (from->shut)
		__impasse_unsupported("connecting a socket of AF_UNIX that was shut down before");
	if (from->listens)
		return from->domain == AF_UNIX ? -EINVAL : -EISCONN;
	error = __impasse_find_socket(&to, from, name, length);
	if (!error && to->datagrams)
		error = -EPROTOTYPE;
	if (!error && (!to->listens || to->shut))
		error = -ECONNREFUSED;
	if (!error)
		error = __impasse_name_by_port(from);
	if (error)
		return error;
	int must_not_wait = d->flags & O_NONBLOCK;
	if (!to->inode->has_room) {
		if (must_not_wait && from->domain == AF_INET)
			__impasse_unsupported("a connection of AF_INET that waits for room, and must not block");
		if (must_not_wait)
			return -EAGAIN;
		*wait = to->inode;
		return 0;
	}
	error = join(d, from, to);
	/* The kernel tells of the connection later. */
	return !error && must_not_wait && from->domain == AF_INET ? -EINPROGRESS : error;
}

long __impasse_connect(int fd, const void *name, unsigned length)
{
	__impasse_atomic_begin();
	long result;
	for (;;) {
		struct inode *wait = 0;
		result = try_to_connect(fd, name, length, &wait);
		if (!wait)
			break;
		if (__impasse_wait_between((struct wait){wait, &wait->has_room})) {
			result = -EINTR;
			break;
		}
	}
	__impasse_atomic_end();
	return result;
}

/* The other end of the first connection that waits. */
static long take(struct endpoint *listener, void *name, unsigned *length, int flags)
{
	struct connection *connection = listener->first;
	struct endpoint *endpoint = __impasse_new_endpoint(connection->in, listener->domain);
	long fd = endpoint ? __impasse_place_new(connection->in, connection->out, O_RDWR | flags) : -ENOMEM;
	if (fd < 0) {
		free(endpoint);
		connection->in->endpoint = 0;
		return fd;
	}
	endpoint->own = __impasse_copy_address(listener->own);
	endpoint->peer = connection->peer;
	__impasse_give_address(connection->peer, listener->domain, name, length);
	listener->first = connection->next;
	listener->waiting--;
	release(connection->in);
	release(connection->out);
	free(connection);
	renew(listener);
	return fd;
}

/* Sets *wait if nobody waits to be accepted. */
static long try_to_accept(struct description *d, void *name, unsigned *length, int flags, int *wait)
{
	struct endpoint *listener = d->inode->endpoint;
	if (listener && listener->datagrams)
		return -EOPNOTSUPP;
	if (flags & ~(SOCK_NONBLOCK | SOCK_CLOEXEC) || !listener || !listener->listens)
		return -EINVAL;
	if (listener->first)
		return take(listener, name, length, flags);
	if (d->flags & O_NONBLOCK)
		return -EAGAIN;
	*wait = !listener->shut;
	return -EINVAL;
}

/* The socket stays open until the call returns, even if its descriptor is closed meanwhile. */
long __impasse_accept(int fd, void *name, unsigned *length, int flags)
{
	struct description *d;
	__impasse_atomic_begin();
	long result = __impasse_socket(fd, &d);
	for (int held = 0; !result; held = 1) {
		int wait = 0;
		result = try_to_accept(d, name, length, flags, &wait);
		if (wait && !held)
			d->references++;
		if (wait && !__impasse_wait_between((struct wait){d->inode, &d->inode->has_data})) {
			result = 0;
			continue;
		}
		if (wait)
			result = -EINTR;
		if (wait || held)
			__impasse_let_go(d);
		break;
	}
	__impasse_atomic_end();
	return result;
}
