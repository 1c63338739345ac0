/* Pipes, with a name and without. To open one that has a name waits for who opens its other end. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include "files.h"
#include "impasse_machine.h"
#include "kernel.h"
#include "thread_end.h"

/* Linux's: a power of two of pages. */
long __impasse_set_pipe_room(struct inode *pipe, unsigned long wanted)
{
	long room = PIPE_BUF;
	if (wanted > MOST_PIPE_CAPACITY)
		return wanted > INT_MAX ? -EINVAL : -EPERM;
	while (room < (long)wanted)
		room *= 2;
	if (room < pipe->size)
		return -EBUSY;
	pipe->room = room;
	__impasse_update(pipe, POLLOUT);
	return room;
}

long __impasse_make_pipe(int ends[2], int flags)
{
	if (flags & ~(O_CLOEXEC | O_NONBLOCK | O_DIRECT))
		return -EINVAL;
	if (flags & O_DIRECT)
		__impasse_unsupported("packets in a pipe (O_DIRECT)");
	struct inode *pipe = __impasse_new_inode(PIPE, 0600);
	if (!pipe)
		return -ENOMEM;
	long reader = __impasse_place_new(pipe, 0, O_RDONLY | flags);
	long writer = reader < 0 ? reader : __impasse_place_new(pipe, 0, O_WRONLY | flags);
	if (writer < 0) {
		if (reader >= 0)
			__impasse_close((int)reader);
		else
			__impasse_release_inode(pipe);
		return writer;
	}
	pipe->readers = pipe->writers = 1;
	__impasse_update(pipe, 0);
	ends[0] = (int)reader;
	ends[1] = (int)writer;
	return 0;
}

long __impasse_read_queue(struct inode *pipe, unsigned char *to, long n)
{
	if (n > pipe->size)
		n = pipe->size;
	memcpy(to, pipe->data, (size_t)n);
	memmove(pipe->data, pipe->data + n, (size_t)(pipe->size - n));
	pipe->size -= n;
	__impasse_update(pipe, POLLOUT);
	return n;
}

long __impasse_write_queue(struct inode *pipe, const unsigned char *from, long n)
{
	long room = pipe->room - pipe->size;
	if (n > room)
		n = room;
	long error = __impasse_write_file(pipe, from, n, pipe->size);
	__impasse_update(pipe, POLLIN);
	return error;
}

/* A description of a pipe is closed. */
void __impasse_close_pipe(const struct description *d)
{
	struct inode *pipe = d->inode;
	pipe->readers -= __impasse_may_read(d);
	pipe->writers -= __impasse_may_write(d);
	if (!pipe->readers && !pipe->writers)
		pipe->size = 0;
	__impasse_update(pipe, EVERY_EVENT);
}

/* Who waits for the other end. */
struct opener {
	struct opener *next;
	struct inode *fifo;
	int writes;
	volatile int met;
};

static struct opener *openers;

long __impasse_make_node(int folder_fd, const char *path, unsigned mode)
{
	if (S_ISCHR(mode) || S_ISBLK(mode))
		return -EPERM;
	if (S_ISSOCK(mode))
		__impasse_unsupported("a socket that mknod makes");
	return __impasse_add_file(folder_fd, path, S_ISFIFO(mode) ? PIPE : REGULAR, mode);
}

/* Counts a new description of a pipe with a name, and wakes who waits for it. */
static void join(struct inode *fifo, int reads, int writes)
{
	fifo->readers += reads;
	fifo->writers += writes;
	for (struct opener *opener = openers; opener; opener = opener->next)
		if (opener->fifo == fifo && (opener->writes ? reads : writes))
			opener->met = 1;
	__impasse_update(fifo, EVERY_EVENT);
}

/* Opens a file. Whether it must wait for who opens the other end of a pipe. */
static long open_at_once(int folder_fd, const char *path, int flags, unsigned mode, struct opener *opener, int *waits)
{
	*waits = 0;
	long fd = __impasse_open(folder_fd, path, flags, mode);
	if (fd < 0)
		return fd;
	struct description *d = __impasse_description((int)fd);
	struct inode *inode = d->inode;
	if (inode->kind != PIPE)
		return fd;
	int reads = __impasse_may_read(d), writes = __impasse_may_write(d);
	join(inode, reads, writes);
	if (reads && writes)
		return fd;
	int met = writes ? inode->readers : inode->writers;
	if (!met && (flags & O_NONBLOCK)) {
		if (!writes)
			return fd;
		__impasse_close((int)fd);
		return -ENXIO;
	}
	*waits = !met;
	if (*waits) {
		*opener = (struct opener){openers, inode, writes, 0};
		openers = opener;
	}
	return fd;
}

static void leave(struct opener *opener)
{
	struct opener **link = &openers;
	while (*link != opener)
		link = &(*link)->next;
	*link = opener->next;
}

long __impasse_open_waiting(int folder_fd, const char *path, int flags, unsigned mode)
{
	struct opener opener;
	int waits;
	__impasse_atomic_begin();
	long fd = open_at_once(folder_fd, path, flags, mode, &opener, &waits);
	__impasse_atomic_end();
	if (!waits)
		return fd;
	int ended = __impasse_block_while_equal(&opener.met, 0, __impasse_cancellable, 0);
	__impasse_atomic_begin();
	leave(&opener);
	if (ended)
		__impasse_close((int)fd);
	__impasse_atomic_end();
	return ended ? -EINTR : fd;
}
