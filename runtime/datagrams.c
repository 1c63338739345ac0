/* Datagrams between sockets of this process. None of AF_INET is lost on the way, unless nobody receives it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "impasse_machine.h"
#include "sockets.h"

/* What waits at a socket of AF_UNIX when a sender must wait (Linux), and what may wait at one of AF_INET. */
enum { MOST_WAITING = 11, MOST_OF_THE_NETWORK = 64, MOST_BYTES = 65507 };

static int is_full(const struct endpoint *endpoint)
{
	return endpoint->waiting >= MOST_WAITING;
}

static void renew(struct endpoint *endpoint)
{
	endpoint->inode->has_data = endpoint->messages || endpoint->refused;
	endpoint->inode->has_room = endpoint->domain != AF_UNIX || !is_full(endpoint);
	__impasse_wake_polls(endpoint->inode, EVERY_EVENT);
}

static long total_length(const struct iovec *parts, int count)
{
	long size = 0;
	for (int i = 0; i < count; i++)
		size += (long)parts[i].iov_len;
	return size;
}

/* Whom a datagram without an address goes to. */
static long find_mate(struct endpoint *from, struct endpoint **to)
{
	if (from->mate || from->is_of_pair) {
		*to = from->mate;
		return from->mate ? 0 : -ECONNREFUSED;
	}
	if (!from->peer)
		return from->domain == AF_UNIX ? -ENOTCONN : -EDESTADDRREQ;
	return __impasse_find_socket(to, from, from->peer->bytes, from->peer->length);
}

/* Whether a socket takes datagrams from this one: one that has a peer takes those of its peer only. */
static int takes_from(const struct endpoint *to, const struct endpoint *from)
{
	struct endpoint *peer = to->mate;
	if (!peer && to->peer && __impasse_find_socket(&peer, to, to->peer->bytes, to->peer->length))
		return 0;
	return !peer || peer == from;
}

/* Whom a datagram goes to; null if it is lost. */
static long find_target(struct endpoint *from, const struct socket_name *name, struct endpoint **to)
{
	long error = name && name->bytes ? __impasse_find_socket(to, from, name->bytes, *name->length) : find_mate(from, to);
	int to_network = from->domain == AF_INET;
	if (error == -ECONNREFUSED && to_network) {
		from->refused = !(name && name->bytes);
		renew(from);
		*to = 0;
		return 0;
	}
	if (error)
		return error;
	if (!(*to)->datagrams)
		return -EPROTOTYPE;
	if (takes_from(*to, from))
		return 0;
	*to = 0;
	return to_network ? 0 : -EPERM;
}

static long deliver(struct endpoint *from, struct endpoint *to, const struct iovec *parts, int count, long size)
{
	struct message *message = malloc(sizeof *message + (size_t)size);
	if (!message)
		return -ENOBUFS;
	message->next = 0;
	message->from = __impasse_source(from);
	message->length = 0;
	for (int i = 0; i < count; i++) {
		memcpy(message->bytes + message->length, parts[i].iov_base, parts[i].iov_len);
		message->length += (long)parts[i].iov_len;
	}
	struct message **end = &to->messages;
	while (*end)
		end = &(*end)->next;
	*end = message;
	to->waiting++;
	renew(to);
	return size;
}

static long try_to_send(struct description *d, const struct iovec *parts, int count, const struct socket_name *name, int flags,
                        struct wait *wait)
{
	struct endpoint *from = d->inode->endpoint, *to = 0;
	long size = total_length(parts, count);
	if (from->domain == AF_INET && size > MOST_BYTES)
		return -EMSGSIZE;
	long error = from->refused ? -ECONNREFUSED : __impasse_name_by_port(from);
	from->refused = 0;
	if (!error)
		error = find_target(from, name, &to);
	if (error || !to)
		return error ? error : size;
	if (to->domain == AF_INET && to->waiting == MOST_OF_THE_NETWORK)
		__impasse_unsupported("more than 64 datagrams that wait to be received");
	if (to->domain == AF_INET || !is_full(to))
		return deliver(from, to, parts, count, size);
	if ((d->flags | flags) & O_NONBLOCK)
		return -EAGAIN;
	to->inode->has_room = 0;
	*wait = (struct wait){to->inode, &to->inode->has_room};
	return 0;
}

static long try_to_receive(struct description *d, const struct iovec *parts, int count, const struct socket_name *name, int flags,
                           struct wait *wait)
{
	struct endpoint *endpoint = d->inode->endpoint;
	struct message *message = endpoint->messages;
	if (endpoint->refused) {
		endpoint->refused = 0;
		renew(endpoint);
		return -ECONNREFUSED;
	}
	if (!message) {
		if ((d->flags | flags) & O_NONBLOCK)
			return -EAGAIN;
		*wait = (struct wait){d->inode, &d->inode->has_data};
		return 0;
	}
	long done = 0;
	for (int i = 0; i < count && done < message->length; i++) {
		long left = message->length - done, n = (long)parts[i].iov_len;
		memcpy(parts[i].iov_base, message->bytes + done, (size_t)(n < left ? n : left));
		done += n < left ? n : left;
	}
	if (name && message->from)
		__impasse_give_address(message->from, endpoint->domain, name->bytes, name->length);
	else if (name && name->bytes && name->length)
		*name->length = 0;
	endpoint->messages = message->next;
	endpoint->waiting--;
	free(message->from);
	free(message);
	renew(endpoint);
	return done;
}

long __impasse_attempt_datagram(struct description *d, const struct iovec *parts, int count, int writing,
                                const struct socket_name *name, int flags, struct wait *wait)
{
	return writing ? try_to_send(d, parts, count, name, flags, wait) : try_to_receive(d, parts, count, name, flags, wait);
}

/* From now on, datagrams without an address go to this name, and come from it only. */
long __impasse_choose_peer(struct endpoint *endpoint, const void *name, unsigned length)
{
	struct endpoint *to = 0;
	if (endpoint->is_of_pair)
		return -EISCONN;
	if (length >= sizeof(sa_family_t) && ((const struct sockaddr *)name)->sa_family == AF_UNSPEC)
		__impasse_unsupported("a socket for datagrams that gives up its peer");
	long error = __impasse_name_by_port(endpoint);
	if (!error)
		error = __impasse_find_socket(&to, endpoint, name, length);
	if (error == -ECONNREFUSED && endpoint->domain == AF_INET)
		error = 0;
	if (!error && to && !to->datagrams)
		error = -EPROTOTYPE;
	if (error)
		return error;
	free(endpoint->peer);
	endpoint->peer = __impasse_new_address(name, length);
	return endpoint->peer ? 0 : -ENOMEM;
}

short __impasse_ready_for_datagrams(const struct endpoint *endpoint)
{
	int full = endpoint->mate && is_full(endpoint->mate);
	return (endpoint->messages || endpoint->refused ? POLLIN | POLLRDNORM : 0) | (full ? 0 : POLLOUT | POLLWRNORM);
}

void __impasse_end_datagrams(struct endpoint *endpoint)
{
	if (endpoint->mate)
		endpoint->mate->mate = 0;
	while (endpoint->messages) {
		struct message *message = endpoint->messages;
		endpoint->messages = message->next;
		free(message->from);
		free(message);
	}
	endpoint->waiting = 0;
	renew(endpoint);
}
