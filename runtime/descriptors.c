/* Descriptors and what is open under them; reading and writing, with blocking at pipes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "files.h"
#include "impasse_machine.h"
#include "kernel.h"
#include "thread_end.h"

/* The standard streams. Reading what was not given as standard input meets its end at once. */
static struct inode input = {.kind = REGULAR, .permissions = 0444, .number = 1, .links = 1, .users = 1, .snapshot = STANDARD_INPUT};
static struct inode output = {.kind = OUTPUT, .permissions = 0222, .number = 2, .links = 1, .users = 1, .stream = 1};
static struct inode errors = {.kind = OUTPUT, .permissions = 0222, .number = 3, .links = 1, .users = 1, .stream = 2};
static struct description opened_input = {&input, 0, O_RDONLY, 1};
static struct description opened_output = {&output, 0, O_WRONLY, 1};
static struct description opened_errors = {&errors, 0, O_WRONLY, 1};

static struct description *table[DESCRIPTORS] = {&opened_input, &opened_output, &opened_errors};
static unsigned char close_on_exec[DESCRIPTORS];

struct description *__impasse_description(int fd)
{
	return fd >= 0 && fd < DESCRIPTORS ? table[fd] : 0;
}

int __impasse_may_read(const struct description *d)
{
	return (d->flags & O_ACCMODE) != O_WRONLY;
}

int __impasse_may_write(const struct description *d)
{
	return (d->flags & O_ACCMODE) != O_RDONLY;
}

static void update_pipe(struct inode *pipe)
{
	pipe->has_data = pipe->size > 0 || !pipe->writers;
	pipe->has_room = pipe->size < PIPE_CAPACITY || !pipe->readers;
	__impasse_wake_polls();
}

static int is_static(const struct description *d)
{
	return d == &opened_input || d == &opened_output || d == &opened_errors;
}

static void release(struct description *d)
{
	if (--d->references)
		return;
	struct inode *inode = d->inode;
	if (inode->kind == PIPE) {
		inode->readers -= __impasse_may_read(d);
		inode->writers -= __impasse_may_write(d);
		update_pipe(inode);
	}
	inode->users--;
	__impasse_release_inode(inode);
	if (!is_static(d))
		free(d);
}

/* Puts `d` at the lowest free descriptor from `from` on. */
static long place(struct description *d, int from, int flags)
{
	for (int fd = from; fd >= 0 && fd < DESCRIPTORS; fd++) {
		if (!table[fd]) {
			table[fd] = d;
			close_on_exec[fd] = (flags & O_CLOEXEC) != 0;
			d->references++;
			return fd;
		}
	}
	return -EMFILE;
}

static long place_new(struct inode *inode, int flags)
{
	struct description *d = calloc(1, sizeof *d);
	if (!d)
		return -ENOMEM;
	d->inode = inode;
	d->flags = flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC);
	inode->users++;
	long fd = place(d, 0, flags);
	if (fd < 0) {
		inode->users--;
		free(d);
	}
	return fd;
}

static long create(struct place *at, unsigned mode)
{
	struct inode *inode = __impasse_new_inode(REGULAR, mode & ~__impasse_umask());
	if (!inode)
		return -ENOSPC;
	long error = __impasse_add_entry(at->folder, at->name, inode);
	if (error) {
		free(inode);
		return error;
	}
	at->inode = inode;
	return 0;
}

long __impasse_open(int folder_fd, const char *path, int flags, unsigned mode)
{
	struct place at;
	long error = __impasse_find(&at, folder_fd, path, !(flags & O_NOFOLLOW) && !(flags & O_EXCL));
	if (error)
		return error;
	if ((flags & O_TMPFILE) == O_TMPFILE)
		return -EOPNOTSUPP;
	if (at.inode && (flags & O_CREAT) && (flags & O_EXCL))
		return -EEXIST;
	if (!at.inode) {
		if (!(flags & O_CREAT))
			return -ENOENT;
		if ((error = create(&at, mode)))
			return error;
	}
	if (at.inode->kind == LINK)
		return -ELOOP;
	if (at.inode->kind == FOLDER && ((flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT)))
		return -EISDIR;
	if (at.inode->kind != FOLDER && (flags & O_DIRECTORY))
		return -ENOTDIR;
	if (at.inode->kind == REGULAR && (flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY) {
		at.inode->snapshot = NO_SNAPSHOT;
		at.inode->size = 0;
	}
	return place_new(at.inode, flags);
}

static long close_descriptor(int fd)
{
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	table[fd] = 0;
	release(d);
	return 0;
}

static long duplicate_to(int fd, int to, int flags)
{
	struct description *d = __impasse_description(fd);
	if (!d || to < 0 || to >= DESCRIPTORS)
		return -EBADF;
	if (fd == to)
		return fd;
	if (table[to])
		close_descriptor(to);
	return place(d, to, flags);
}

static long duplicate(int fd, int from, int flags)
{
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	return from < 0 || from >= DESCRIPTORS ? -EINVAL : place(d, from, flags);
}

static long make_pipe(int ends[2], int flags)
{
	struct inode *pipe = __impasse_new_inode(PIPE, 0600);
	if (!pipe)
		return -ENOMEM;
	long reader = place_new(pipe, O_RDONLY | flags);
	long writer = reader < 0 ? reader : place_new(pipe, O_WRONLY | flags);
	if (writer < 0) {
		if (reader >= 0)
			close_descriptor((int)reader);
		else
			__impasse_release_inode(pipe);
		return writer;
	}
	pipe->readers = pipe->writers = 1;
	update_pipe(pipe);
	ends[0] = (int)reader;
	ends[1] = (int)writer;
	return 0;
}

static long control(int fd, int command, long argument)
{
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	switch (command) {
	case F_DUPFD: return duplicate(fd, (int)argument, 0);
	case F_DUPFD_CLOEXEC: return duplicate(fd, (int)argument, O_CLOEXEC);
	case F_GETFD: return close_on_exec[fd];
	case F_SETFD: close_on_exec[fd] = argument & FD_CLOEXEC; return 0;
	case F_GETFL: return d->flags;
	case F_SETFL: {
		int settable = O_APPEND | O_NONBLOCK;
		d->flags = (d->flags & ~settable) | ((int)argument & settable);
		return 0;
	}
	case F_SETLK: case F_SETLKW: return 0;
	default: return -EINVAL;
	}
}

static long seek(int fd, long offset, int whence)
{
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	if (d->inode->kind == PIPE || d->inode->kind == OUTPUT)
		return -ESPIPE;
	long error = __impasse_load(d->inode);
	if (error)
		return error;
	switch (whence) {
	case SEEK_SET: break;
	case SEEK_CUR: offset += d->offset; break;
	case SEEK_END: offset += d->inode->size; break;
	default: return -EINVAL;
	}
	if (offset < 0)
		return -EINVAL;
	return d->offset = offset;
}

long __impasse_descriptor_call(long n, long a, long b, long c)
{
	int fd = (int)a;
	switch (n) {
	case SYS_close: return close_descriptor(fd);
	case SYS_dup: return duplicate(fd, 0, 0);
	case SYS_dup2: return duplicate_to(fd, (int)b, 0);
	case SYS_dup3: return fd == (int)b ? -EINVAL : duplicate_to(fd, (int)b, (int)c);
	case SYS_pipe: return make_pipe((int *)a, 0);
	case SYS_pipe2: return make_pipe((int *)a, (int)b);
	case SYS_fcntl: return control(fd, (int)b, c);
	case SYS_lseek: return seek(fd, b, (int)c);
	case SYS_ioctl: return __impasse_description(fd) ? -ENOTTY : -EBADF;
	case SYS_fsync: case SYS_fdatasync: case SYS_flock: return __impasse_description(fd) ? 0 : -EBADF;
	default: return -ENOSYS;
	}
}

static long read_pipe(struct inode *pipe, unsigned char *to, long n)
{
	if (n > pipe->size)
		n = pipe->size;
	memcpy(to, pipe->data, (size_t)n);
	memmove(pipe->data, pipe->data + n, (size_t)(pipe->size - n));
	pipe->size -= n;
	update_pipe(pipe);
	return n;
}

static long read_file(struct inode *inode, unsigned char *to, long n, long offset)
{
	long error = __impasse_load(inode);
	if (error)
		return error;
	if (offset >= inode->size)
		return 0;
	if (n > inode->size - offset)
		n = inode->size - offset;
	memcpy(to, inode->data + offset, (size_t)n);
	return n;
}

static long read_part(struct inode *inode, unsigned char *to, long n, long offset)
{
	switch (inode->kind) {
	case FOLDER: return -EISDIR;
	case REGULAR: return read_file(inode, to, n, offset);
	case PIPE: return read_pipe(inode, to, n);
	case ZERO_DEVICE: memset(to, 0, (size_t)n); return n;
	case RANDOM_DEVICE:
		for (long i = 0; i < n; i++)
			to[i] = (unsigned char)__impasse_choose_range("uchar", 8, 0);
		return n;
	case NULL_DEVICE: return 0;
	default: return -EBADF;
	}
}

static long write_file(struct inode *inode, const unsigned char *from, long n, long offset)
{
	long error = __impasse_load(inode);
	if (!error && offset + n > inode->size)
		error = __impasse_resize(inode, offset + n);
	if (error)
		return error;
	memcpy(inode->data + offset, from, (size_t)n);
	return n;
}

static long write_pipe(struct inode *pipe, const unsigned char *from, long n)
{
	long room = PIPE_CAPACITY - pipe->size;
	if (n > room)
		n = room;
	long error = write_file(pipe, from, n, pipe->size);
	update_pipe(pipe);
	return error;
}

static long write_part(struct inode *inode, const unsigned char *from, long n, long offset)
{
	switch (inode->kind) {
	case REGULAR: return write_file(inode, from, n, offset);
	case PIPE: return write_pipe(inode, from, n);
	case OUTPUT: __impasse_output(inode->stream, from, (unsigned long)n); return n;
	case NULL_DEVICE: case ZERO_DEVICE: case RANDOM_DEVICE: return n;
	default: return -EBADF;
	}
}

/* All parts, until one is not transferred whole. */
static long transfer(struct description *d, const struct iovec *parts, int count, long offset, int writing)
{
	long total = 0;
	long at = offset >= 0 ? offset : writing && (d->flags & O_APPEND) ? d->inode->size : d->offset;
	for (int i = 0; i < count; i++) {
		long n = (long)parts[i].iov_len;
		if (!n)
			continue;
		long done = writing ? write_part(d->inode, parts[i].iov_base, n, at + total)
		                    : read_part(d->inode, parts[i].iov_base, n, at + total);
		if (done < 0)
			return total ? total : done;
		total += done;
		if (done < n || d->inode->kind == PIPE)
			break;
	}
	if (offset < 0 && d->inode->kind == REGULAR)
		d->offset = at + total;
	return total;
}

static long total_length(const struct iovec *parts, int count)
{
	long size = 0;
	for (int i = 0; i < count; i++)
		size += (long)parts[i].iov_len;
	return size;
}

/* One attempt; sets *wait to the word to wait for if it has to. */
static long attempt(int fd, const struct iovec *parts, int count, long offset, int writing, volatile int **wait)
{
	struct description *d = __impasse_description(fd);
	*wait = 0;
	if (!d || !(writing ? __impasse_may_write(d) : __impasse_may_read(d)))
		return -EBADF;
	struct inode *inode = d->inode;
	if (inode->kind != PIPE)
		return transfer(d, parts, count, offset, writing);
	if (offset >= 0)
		return -ESPIPE;
	if (writing && !inode->readers)
		return -EPIPE;
	long size = total_length(parts, count);
	if (!size)
		return 0;
	/* What is no longer than PIPE_BUF goes into a pipe whole. */
	int fits = size > PIPE_BUF || size <= PIPE_CAPACITY - inode->size;
	if (writing ? inode->has_room && fits : inode->has_data)
		return transfer(d, parts, count, offset, writing);
	if (d->flags & O_NONBLOCK)
		return -EAGAIN;
	if (writing)
		inode->has_room = 0;
	*wait = writing ? &inode->has_room : &inode->has_data;
	inode->users++;
	return 0;
}

static void stop_waiting(volatile int *word, int writing)
{
	size_t offset = writing ? offsetof(struct inode, has_room) : offsetof(struct inode, has_data);
	struct inode *inode = (struct inode *)((char *)word - offset);
	__impasse_atomic_begin();
	inode->users--;
	__impasse_release_inode(inode);
	__impasse_atomic_end();
}

static long blocking_transfer(int fd, const struct iovec *parts, int count, long offset, int writing)
{
	for (;;) {
		volatile int *wait;
		__impasse_atomic_begin();
		long result = attempt(fd, parts, count, offset, writing, &wait);
		__impasse_atomic_end();
		if (!wait)
			return result;
		int ended = __impasse_block_while_equal(wait, 0, __impasse_cancellable);
		stop_waiting(wait, writing);
		if (ended)
			return -EINTR;
	}
}

long __impasse_read(int fd, const struct iovec *parts, int count, long offset)
{
	return blocking_transfer(fd, parts, count, offset, 0);
}

/* What is left of the part in which byte `done` of all lies. */
static struct iovec rest_after(const struct iovec *parts, long done)
{
	while ((size_t)done >= parts->iov_len)
		done -= (long)parts++->iov_len;
	return (struct iovec){(char *)parts->iov_base + done, parts->iov_len - (size_t)done};
}

/* A write to a pipe goes on until all of it is through. */
long __impasse_write(int fd, const struct iovec *parts, int count, long offset)
{
	long size = total_length(parts, count);
	long total = blocking_transfer(fd, parts, count, offset, 1);
	long done = total;
	while (done > 0 && total < size) {
		struct iovec rest = rest_after(parts, total);
		done = blocking_transfer(fd, &rest, 1, offset < 0 ? -1 : offset + total, 1);
		if (done > 0)
			total += done;
	}
	if (done == -EPIPE)
		raise(SIGPIPE);
	return total;
}
