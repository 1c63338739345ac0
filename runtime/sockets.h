/* Sockets that socket() makes, as their rooms share them.
 *
 * addresses.c: what they are called, and how they are found. connections.c: streams between them.
 * datagrams.c: messages between them. sockets.c: pairs of sockets, shutting down, options, and the way to all of this. */
#ifndef IMPASSE_SOCKETS_H
#define IMPASSE_SOCKETS_H

#include "files.h"

struct address {
	unsigned length;
	unsigned char bytes[]; /* a struct sockaddr of that length */
};

/* A connection that was not accepted yet, as its accepting end will have it. */
struct connection {
	struct connection *next;
	struct inode *in, *out;
	struct address *peer;
};

struct message {
	struct message *next;
	struct address *from;
	long length;
	unsigned char bytes[];
};

/* What a socket has besides its queues. */
struct endpoint {
	struct endpoint *next; /* of those that are found by their addresses */
	struct inode *inode;   /* of the socket */
	struct inode *file;    /* where a path leads to the socket; else null */
	int domain;
	struct address *own, *peer; /* null if there is none */
	int listens;
	int shut; /* of a socket that listens: none but those who wait can be accepted */
	int most;                  /* connections that may wait to be accepted */
	int waiting;               /* how many connections or datagrams do */
	struct connection *first;
	int datagrams;             /* is for datagrams, not a stream */
	struct message *messages;  /* datagrams that were not received yet */
	struct endpoint *mate;     /* the other one of a pair for datagrams, as long as it is open */
	int is_of_pair;
	int refused;               /* what was sent met nobody, which the next call says */
};

/* The socket under a descriptor, or a negated error number. */
long __impasse_socket(int fd, struct description **d);
/* A queue for one direction of a connection. */
struct inode *__impasse_new_direction(void);

struct address *__impasse_new_address(const void *bytes, unsigned length);
struct address *__impasse_copy_address(const struct address *address);
long __impasse_name_socket(struct endpoint *endpoint, const void *name, unsigned length);
/* Gives a socket of the network a free port, if it has no name. */
long __impasse_name_by_port(struct endpoint *endpoint);
/* What receivers learn of who has sent a datagram. */
struct address *__impasse_source(const struct endpoint *endpoint);
/* Finds the socket with a name, for another one of its domain. */
long __impasse_find_socket(struct endpoint **found, const struct endpoint *from, const void *name, unsigned length);
void __impasse_forget_name(struct endpoint *endpoint);
/* Copies an address as calls give it back: cut to the room there is, with its whole length. */
void __impasse_give_address(const struct address *address, int domain, void *to, unsigned *length);

long __impasse_choose_peer(struct endpoint *endpoint, const void *name, unsigned length);
short __impasse_ready_for_datagrams(const struct endpoint *endpoint);
void __impasse_end_datagrams(struct endpoint *endpoint);

struct endpoint *__impasse_new_endpoint(struct inode *inode, int domain);
long __impasse_make_socket(int domain, int type, int protocol);
long __impasse_listen(int fd, int most);
void __impasse_stop_listening(struct endpoint *endpoint);
/* The effect of shutting down what is received by a socket that listens. */
void __impasse_shut_listener(struct endpoint *endpoint);
/* What of `events` could be done at once with a socket that is not connected. */
short __impasse_ready_unconnected(const struct inode *inode, short events);

#endif
