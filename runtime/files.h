/* The file system held in the program's own memory, as its rooms share it.
 *
 * inodes.c: files and folders, and the way from a path to them. descriptors.c: what is open,
 * reading and writing. pipes.c: pipes. poll.c, epoll.c: waiting for one of several. sockets.c:
 * sockets (see sockets.h). folders.c: the calls that change names. All that is declared here is called in atomic
 * sections; results below zero are negated error numbers. */
#ifndef IMPASSE_FILES_H
#define IMPASSE_FILES_H

#include <limits.h>
#include <poll.h>
#include <sys/stat.h>

enum kind { FOLDER, REGULAR, LINK, PIPE, SOCKET, EVENTS, POLLER, OUTPUT, NULL_DEVICE, ZERO_DEVICE, RANDOM_DEVICE };

struct entry {
	struct entry *next;
	struct inode *inode;
	char name[];
};

struct inode {
	enum kind kind;
	unsigned permissions;
	unsigned long number;
	unsigned links; /* names that lead here */
	unsigned users; /* open descriptions, and being the current folder */
	long size;
	long capacity; /* of data */
	long room;     /* of a queue: what it holds at most */
	unsigned char *data; /* of regular files, pipes and sockets (a queue), and links (the target, ending in 0) */
	long snapshot;       /* where the data still lie in the snapshot; NO_SNAPSHOT once they are here */
	struct entry *entries;
	struct inode *parent;
	int stream;              /* of an output: 1 or 2 */
	int readers, writers;    /* of a queue: a pipe, or one direction of a pair of sockets */
	unsigned long count;     /* of an event counter (eventfd) */
	int one_by_one;          /* an event counter is read like a semaphore */
	struct interest *interests; /* of a poller (epoll) */
	struct endpoint *endpoint;  /* of a socket that socket() made, and of a file that is its name */
	int reset;                  /* a direction of a connection: its other end was closed before it had read all */
	volatile int has_data;   /* a reader of the queue or counter need not wait */
	volatile int has_room;   /* a writer of the queue or counter need not wait */
};

enum { STANDARD_INPUT = -1, NO_SNAPSHOT = -2 };

struct description {
	struct inode *inode; /* of a socket: what comes in */
	struct inode *out;   /* of a socket that is connected: what goes out; else null */
	int stopped;         /* of a socket: the directions that were shut down, one bit each */
	long offset;
	int flags; /* of open */
	int references;
};

enum { DESCRIPTORS = 64, PIPE_CAPACITY = 65536, MOST_PIPE_CAPACITY = 1048576 };
enum { EVERY_EVENT = POLLIN | POLLOUT | POLLHUP | POLLERR };

/* What a call waits for: a word of an inode. */
struct wait {
	struct inode *of;
	volatile int *word;
};

/* The name of another socket, as a call gives or wants it. */
struct socket_name {
	void *bytes;
	unsigned *length;
};

/* Where a path leads: a folder, the last name in it, and the inode of that name or null. */
struct place {
	struct inode *folder;
	char name[NAME_MAX + 1];
	struct inode *inode;
};

struct inode *__impasse_new_inode(enum kind kind, unsigned permissions);
void __impasse_release_inode(struct inode *inode);
long __impasse_load(struct inode *inode);
long __impasse_resize(struct inode *inode, long size);
long __impasse_add_entry(struct inode *folder, const char *name, struct inode *inode);
void __impasse_remove_entry(struct inode *folder, const char *name);
/* -ENOENT: the program asks for a file that does not exist. A snapshot is the whole file system. */
long __impasse_missing(const char *path);
long __impasse_find(struct place *place, int folder_fd, const char *path, int follow);
long __impasse_find_existing(struct inode **inode, int folder_fd, const char *path, int follow);
/* Whether the user may read, write, or run or search (R_OK, W_OK, X_OK); else -EACCES. All files are the user's own. */
long __impasse_may(const struct inode *inode, int wanted);
/* Whether the names in a folder may be changed. */
long __impasse_may_change(const struct inode *folder);
struct inode *__impasse_current_folder(void);
void __impasse_set_current_folder(struct inode *folder);

struct description *__impasse_description(int fd);
int __impasse_may_read(const struct description *d);
int __impasse_may_write(const struct description *d);
int __impasse_is_queue(const struct inode *inode);
void __impasse_update(struct inode *inode, short events);
long __impasse_place_new(struct inode *inode, struct inode *out, int flags);
long __impasse_close(int fd);
long __impasse_write_file(struct inode *inode, const unsigned char *from, long n, long offset);

long __impasse_make_pipe(int ends[2], int flags);
long __impasse_set_pipe_room(struct inode *pipe, unsigned long wanted);
void __impasse_close_pipe(const struct description *d);
/* Of a pipe, or of one direction of a connection. */
long __impasse_read_queue(struct inode *queue, unsigned char *to, long n);
long __impasse_write_queue(struct inode *queue, const unsigned char *from, long n);
long __impasse_make_node(int folder_fd, const char *path, unsigned mode);

/* What of `events` could be done at once, and POLLHUP, POLLERR or POLLNVAL. */
short __impasse_ready(const struct description *d, short events);

/* One reference less to what is open. */
void __impasse_let_go(struct description *d);
/* Ends the atomic section, waits until the word is set, and begins another one. Whether the wait has ended before. */
int __impasse_wait_between(struct wait wait);
/* Waits until `look` finds something. */
long __impasse_wait(long (*look)(void *), void *of, long nanoseconds, const unsigned long *mask);
void __impasse_wake_polls(struct inode *inode, short events);
void __impasse_renew_interests(struct inode *inode, short events);
void __impasse_drop_interests(const struct description *d);
int __impasse_finds_any(const struct inode *poller);
void __impasse_shut_down(struct description *d, int directions);
void __impasse_close_poller(struct inode *poller);
long __impasse_poller_call(long n, long a, long b, long c, long d);
struct iovec;
long __impasse_attempt_datagram(struct description *d, const struct iovec *parts, int count, int writing,
                                const struct socket_name *name, int flags, struct wait *wait);
void __impasse_close_endpoint(struct inode *inode);
/* The error number of reading from or writing to a stream that is not connected. */
long __impasse_unconnected(const struct inode *inode, int writing);
int __impasse_is_for_datagrams(const struct inode *inode);
long __impasse_socket_call(long n, long a, long b, long c, long d, long e);
long __impasse_open(int folder_fd, const char *path, int flags, unsigned mode);
long __impasse_descriptor_call(long n, long a, long b, long c);

/* A new file without data. */
long __impasse_add_file(int folder_fd, const char *path, enum kind kind, unsigned mode);
long __impasse_name_call(long n, long a, long b, long c, long d, long e);
long __impasse_stat_call(long n, long a, long b, long c, long d);
unsigned __impasse_umask(void);

#endif
