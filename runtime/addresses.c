/* What sockets are called: by a path, by a name that begins with a zero, or by a port of this machine. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "impasse_machine.h"
#include "sockets.h"

enum { PATH = offsetof(struct sockaddr_un, sun_path), FIRST_PORT_FOR_ALL = 1024, FIRST_FREE_PORT = 32768, PORTS = 65536 };

/* Those that are found by what they are called, except for those that are found by paths. */
static struct endpoint *named;

struct address *__impasse_new_address(const void *bytes, unsigned length)
{
	struct address *address = malloc(sizeof *address + length);
	if (address) {
		address->length = length;
		memcpy(address->bytes, bytes, length);
	}
	return address;
}

struct address *__impasse_copy_address(const struct address *address)
{
	return address ? __impasse_new_address(address->bytes, address->length) : 0;
}

static struct sockaddr_in port_of(const struct address *address)
{
	struct sockaddr_in in;
	memcpy(&in, address->bytes, sizeof in);
	return in;
}

static int is_here(in_addr_t network_order)
{
	in_addr_t address = ntohl(network_order);
	return address == INADDR_ANY || address >> 24 == IN_LOOPBACKNET;
}

/* Reads a name of the network; the reverse of a struct sockaddr_in in bytes. */
static long read_port(struct sockaddr_in *in, const void *name, unsigned length)
{
	if (length < sizeof *in)
		return -EINVAL;
	memcpy(in, name, sizeof *in);
	memset(in->sin_zero, 0, sizeof in->sin_zero);
	return in->sin_family == AF_INET ? 0 : -EAFNOSUPPORT;
}

/* Whether both may mean the same port. */
static int meet(const struct sockaddr_in *a, const struct sockaddr_in *b)
{
	int any = a->sin_addr.s_addr == INADDR_ANY || b->sin_addr.s_addr == INADDR_ANY;
	return a->sin_port == b->sin_port && (any || a->sin_addr.s_addr == b->sin_addr.s_addr);
}

/* Streams and datagrams have ports of their own. */
static struct endpoint *find_port(const struct sockaddr_in *in, int datagrams)
{
	for (struct endpoint *e = named; e; e = e->next) {
		if (e->domain != AF_INET || e->datagrams != datagrams)
			continue;
		struct sockaddr_in own = port_of(e->own);
		if (meet(&own, in))
			return e;
	}
	return 0;
}

static long add_named(struct endpoint *endpoint, const void *name, unsigned length)
{
	endpoint->own = __impasse_new_address(name, length);
	if (!endpoint->own)
		return -ENOMEM;
	endpoint->next = named;
	named = endpoint;
	return 0;
}

static long take_port(struct endpoint *endpoint, struct sockaddr_in in)
{
	unsigned port = ntohs(in.sin_port);
	if (port && port < FIRST_PORT_FOR_ALL)
		return -EACCES;
	for (unsigned free = FIRST_FREE_PORT; !port && free < PORTS; free++) {
		in.sin_port = htons((unsigned short)free);
		port = find_port(&in, endpoint->datagrams) ? 0 : free;
	}
	return !port || find_port(&in, endpoint->datagrams) ? -EADDRINUSE : add_named(endpoint, &in, sizeof in);
}

static long bind_port(struct endpoint *endpoint, const void *name, unsigned length)
{
	struct sockaddr_in in;
	long error = read_port(&in, name, length);
	if (error)
		return error;
	if (!is_here(in.sin_addr.s_addr))
		return -EADDRNOTAVAIL;
	return endpoint->own ? -EINVAL : take_port(endpoint, in);
}

long __impasse_name_by_port(struct endpoint *endpoint)
{
	in_addr_t here = endpoint->datagrams ? INADDR_ANY : INADDR_LOOPBACK;
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {htonl(here)}};
	return endpoint->own || endpoint->domain != AF_INET ? 0 : take_port(endpoint, in);
}

/* A path is copied, with the zero at its end. */
static long read_path(char path[sizeof(struct sockaddr_un) + 1], const void *name, unsigned length)
{
	const struct sockaddr_un *un = name;
	if (length <= PATH || length > sizeof *un)
		return -EINVAL;
	if (un->sun_family != AF_UNIX)
		return -EINVAL;
	memcpy(path, un->sun_path, length - PATH);
	path[length - PATH] = 0;
	return 0;
}

static struct endpoint *find_without_path(const void *name, unsigned length)
{
	for (struct endpoint *e = named; e; e = e->next)
		if (e->domain == AF_UNIX && e->own->length == length && !memcmp(e->own->bytes, name, length))
			return e;
	return 0;
}

static long bind_path(struct endpoint *endpoint, const void *name, unsigned length)
{
	char path[sizeof(struct sockaddr_un) + 1];
	if (length == PATH)
		__impasse_unsupported("a name of a socket that the kernel chooses");
	long error = read_path(path, name, length);
	if (error)
		return error;
	if (!*path)
		return endpoint->own ? -EINVAL : find_without_path(name, length) ? -EADDRINUSE : add_named(endpoint, name, length);
	struct place at;
	error = __impasse_find(&at, AT_FDCWD, path, 0);
	if (!error && !at.inode)
		__impasse_missing(path);
	if (!error && at.inode)
		error = -EADDRINUSE;
	if (!error && endpoint->own)
		error = -EINVAL;
	if (!error)
		error = __impasse_may_change(at.folder);
	if (error)
		return error;
	struct inode *file = __impasse_new_inode(SOCKET, 0777 & ~__impasse_umask());
	endpoint->own = __impasse_new_address(name, PATH);
	struct address *own = endpoint->own ? realloc(endpoint->own, sizeof *own + PATH + strlen(path) + 1) : 0;
	if (!file || !own)
		__impasse_unsupported("a failing allocation while a socket gets its name");
	own->length = (unsigned)(PATH + strlen(path) + 1);
	strcpy((char *)own->bytes + PATH, path);
	endpoint->own = own;
	error = __impasse_add_entry(at.folder, at.name, file);
	if (error)
		__impasse_unsupported("a failing allocation while a socket gets its name");
	file->endpoint = endpoint;
	file->users++;
	endpoint->file = file;
	return 0;
}

long __impasse_name_socket(struct endpoint *endpoint, const void *name, unsigned length)
{
	return endpoint->domain == AF_INET ? bind_port(endpoint, name, length) : bind_path(endpoint, name, length);
}

static long find_by_path(struct endpoint **found, const void *name, unsigned length)
{
	char path[sizeof(struct sockaddr_un) + 1];
	long error = read_path(path, name, length);
	if (error)
		return error;
	if (!*path) {
		*found = find_without_path(name, length);
		return *found ? 0 : -ECONNREFUSED;
	}
	struct inode *file;
	error = __impasse_find_existing(&file, AT_FDCWD, path, 1);
	if (!error)
		error = __impasse_may(file, W_OK);
	if (error)
		return error;
	*found = file->kind == SOCKET ? file->endpoint : 0;
	return *found ? 0 : -ECONNREFUSED;
}

long __impasse_find_socket(struct endpoint **found, const struct endpoint *from, const void *name, unsigned length)
{
	if (from->domain == AF_UNIX)
		return find_by_path(found, name, length);
	struct sockaddr_in in;
	long error = read_port(&in, name, length);
	if (error)
		return error;
	if (!is_here(in.sin_addr.s_addr)) {
		__impasse_asks("no other machine can be reached", 0);
		return -ENETUNREACH;
	}
	if (in.sin_addr.s_addr == INADDR_ANY)
		in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*found = find_port(&in, from->datagrams);
	return *found ? 0 : -ECONNREFUSED;
}

struct address *__impasse_source(const struct endpoint *endpoint)
{
	struct address *source = __impasse_copy_address(endpoint->own);
	if (!source || endpoint->domain != AF_INET)
		return source;
	struct sockaddr_in in = port_of(source);
	if (in.sin_addr.s_addr == INADDR_ANY)
		in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	memcpy(source->bytes, &in, sizeof in);
	return source;
}

void __impasse_forget_name(struct endpoint *endpoint)
{
	for (struct endpoint **link = &named; *link; link = &(*link)->next) {
		if (*link == endpoint) {
			*link = endpoint->next;
			break;
		}
	}
	if (endpoint->file) {
		endpoint->file->endpoint = 0;
		endpoint->file->users--;
		__impasse_release_inode(endpoint->file);
	}
	free(endpoint->own);
	free(endpoint->peer);
}

void __impasse_give_address(const struct address *address, int domain, void *to, unsigned *length)
{
	if (!to || !length)
		return;
	/* Who has no name is known by the family alone. */
	unsigned short family = (unsigned short)domain;
	const void *bytes = address ? (const void *)address->bytes : &family;
	unsigned size = address ? address->length : sizeof family;
	memcpy(to, bytes, size < *length ? size : *length);
	*length = size;
}
