/* Descriptors and what is open under them; reading and writing, with blocking at pipes, sockets and event counters. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "files.h"
#include "impasse_machine.h"
#include "kernel.h"
#include "printing.h"
#include "thread_end.h"

/* The standard streams. Reading what was not given as standard input meets its end at once. */
static struct inode input = {.kind = REGULAR, .permissions = 0444, .number = 1, .links = 1, .users = 1, .snapshot = STANDARD_INPUT};
static struct inode output = {.kind = OUTPUT, .permissions = 0222, .number = 2, .links = 1, .users = 1, .stream = 1};
static struct inode errors = {.kind = OUTPUT, .permissions = 0222, .number = 3, .links = 1, .users = 1, .stream = 2};
static struct description opened_input = {.inode = &input, .flags = O_RDONLY, .references = 1};
static struct description opened_output = {.inode = &output, .flags = O_WRONLY, .references = 1};
static struct description opened_errors = {.inode = &errors, .flags = O_WRONLY, .references = 1};

/* What a counter holds at most. */
#define MOST_EVENTS (~0UL - 1)

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

int __impasse_is_queue(const struct inode *inode)
{
	return inode->kind == PIPE || inode->kind == SOCKET;
}

/* After a change of a queue or counter, from which on `events` may be possible. */
void __impasse_update(struct inode *inode, short events)
{
	int counter = inode->kind == EVENTS;
	inode->has_data = counter ? inode->count > 0 : inode->size > 0 || !inode->writers;
	inode->has_room = counter ? inode->count < MOST_EVENTS : inode->size < inode->room || !inode->readers;
	__impasse_wake_polls(inode, events);
}

static int is_static(const struct description *d)
{
	return d == &opened_input || d == &opened_output || d == &opened_errors;
}

void __impasse_let_go(struct description *d)
{
	if (--d->references)
		return;
	__impasse_drop_interests(d);
	struct inode *inode = d->inode;
	if (inode->kind == POLLER)
		__impasse_close_poller(inode);
	if (inode->kind == PIPE)
		__impasse_close_pipe(d);
	if (inode->endpoint)
		__impasse_close_endpoint(inode);
	if (d->out) {
		d->out->reset |= inode->size > 0;
		__impasse_shut_down(d, 1 << SHUT_RD | 1 << SHUT_WR);
		d->out->users--;
		__impasse_release_inode(d->out);
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

/* A new description of an inode, and for a socket of another one, for what goes out. */
long __impasse_place_new(struct inode *inode, struct inode *out, int flags)
{
	struct description *d = calloc(1, sizeof *d);
	if (!d)
		return -ENOMEM;
	d->inode = inode;
	d->out = out;
	d->flags = flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC);
	long fd = place(d, 0, flags);
	if (fd < 0) {
		free(d);
		return fd;
	}
	inode->users++;
	if (out)
		out->users++;
	return fd;
}

static long create(struct place *at, unsigned mode)
{
	struct inode *inode = __impasse_new_inode(REGULAR, mode & ~__impasse_umask());
	if (!inode)
		return -ENOSPC;
	long error = __impasse_may_change(at->folder);
	if (!error)
		error = __impasse_add_entry(at->folder, at->name, inode);
	if (error) {
		free(inode);
		return error;
	}
	at->inode = inode;
	return 0;
}

/* Devices and links are open to all, sockets to none. */
static long may_open(const struct inode *inode, int flags)
{
	int mode = flags & O_ACCMODE;
	int wanted = (mode != O_WRONLY ? R_OK : 0) | (mode != O_RDONLY || (flags & O_TRUNC) ? W_OK : 0);
	if (inode->kind == SOCKET)
		return -ENXIO;
	return inode->kind == REGULAR || inode->kind == FOLDER || inode->kind == PIPE ? __impasse_may(inode, wanted) : 0;
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
		if (!(flags & O_CREAT) || !(flags & O_TRUNC) || (flags & O_EXCL))
			error = __impasse_missing(path);
		if (!(flags & O_CREAT))
			return error;
		if ((error = create(&at, mode)))
			return error;
	} else if ((error = may_open(at.inode, flags))) {
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
	return __impasse_place_new(at.inode, 0, flags);
}

long __impasse_close(int fd)
{
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	table[fd] = 0;
	__impasse_let_go(d);
	if (fd == 1 || fd == 2)
		__impasse_share_streams();
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
		__impasse_close(to);
	return place(d, to, flags);
}

static long duplicate(int fd, int from, int flags)
{
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	return from < 0 || from >= DESCRIPTORS ? -EINVAL : place(d, from, flags);
}

/* Locks of a process exclude other processes only, of which there are none. */
static long lock(struct description *d, int command, struct flock *lock)
{
	if (lock->l_type != F_RDLCK && lock->l_type != F_WRLCK && lock->l_type != F_UNLCK)
		return -EINVAL;
	if (command == F_GETLK) {
		if (lock->l_type == F_UNLCK)
			return -EINVAL;
		lock->l_type = F_UNLCK;
		return 0;
	}
	if (d->inode->kind != REGULAR)
		__impasse_unsupported("a lock of what is no ordinary file (fcntl)");
	if (lock->l_type == F_UNLCK)
		return 0;
	return (lock->l_type == F_WRLCK ? __impasse_may_write(d) : __impasse_may_read(d)) ? 0 : -EBADF;
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
		if (d->inode->kind == PIPE && (argument & O_DIRECT))
			__impasse_unsupported("packets in a pipe (O_DIRECT)");
		d->flags = (d->flags & ~settable) | ((int)argument & settable);
		return 0;
	}
	case F_GETPIPE_SZ: return d->inode->kind == PIPE ? d->inode->room : -EBADF;
	case F_SETPIPE_SZ: return d->inode->kind == PIPE ? __impasse_set_pipe_room(d->inode, (unsigned long)argument) : -EBADF;
	case F_GETLK: case F_SETLK: case F_SETLKW: return lock(d, command, (void *)argument);
	case F_OFD_GETLK: case F_OFD_SETLK: case F_OFD_SETLKW:
		__impasse_unsupported("a lock that belongs to an open file (F_OFD_SETLK)");
	default: return -EINVAL;
	}
}

/* How much can be read at once from what has an end, a position or a queue. */
static long count_readable(struct description *d, int *count)
{
	struct inode *inode = d->inode;
	if (inode->kind != REGULAR && !__impasse_is_queue(inode))
		return -ENOTTY;
	long error = __impasse_load(inode);
	if (!error)
		*count = (int)(inode->size - d->offset);
	return error;
}

static long control_device(int fd, unsigned request, void *argument)
{
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	switch (request) {
	case FIONREAD: return count_readable(d, argument);
	case FIONBIO: d->flags = *(int *)argument ? d->flags | O_NONBLOCK : d->flags & ~O_NONBLOCK; return 0;
	case FIOCLEX: case FIONCLEX: close_on_exec[fd] = request == FIOCLEX; return 0;
	default: return -ENOTTY;
	}
}

static long seek(int fd, long offset, int whence)
{
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	if (__impasse_is_queue(d->inode) || d->inode->kind == OUTPUT)
		return -ESPIPE;
	if (d->inode->kind == EVENTS || d->inode->kind == POLLER)
		return 0;
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

static long make_events(unsigned initial, int flags)
{
	if (flags & ~(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE))
		return -EINVAL;
	struct inode *events = __impasse_new_inode(EVENTS, 0600);
	if (!events)
		return -ENOMEM;
	events->count = initial;
	events->one_by_one = (flags & EFD_SEMAPHORE) != 0;
	long fd = __impasse_place_new(events, 0, O_RDWR | (flags & ~EFD_SEMAPHORE));
	if (fd < 0)
		__impasse_release_inode(events);
	else
		__impasse_update(events, 0);
	return fd;
}

long __impasse_descriptor_call(long n, long a, long b, long c)
{
	int fd = (int)a;
	switch (n) {
	case SYS_close: return __impasse_close(fd);
	case SYS_dup: return duplicate(fd, 0, 0);
	case SYS_dup2: return duplicate_to(fd, (int)b, 0);
	case SYS_dup3: return fd == (int)b ? -EINVAL : duplicate_to(fd, (int)b, (int)c);
	case SYS_pipe: return __impasse_make_pipe((int *)a, 0);
	case SYS_pipe2: return __impasse_make_pipe((int *)a, (int)b);
	case SYS_eventfd: return make_events((unsigned)a, 0);
	case SYS_eventfd2: return make_events((unsigned)a, (int)b);
	case SYS_fcntl: return control(fd, (int)b, c);
	case SYS_lseek: return seek(fd, b, (int)c);
	case SYS_ioctl: return control_device(fd, (unsigned)b, (void *)c);
	case SYS_fsync: case SYS_fdatasync: return __impasse_description(fd) ? 0 : -EBADF;
	default: return -ENOSYS;
	}
}

static long read_events(struct inode *events, void *to, long n)
{
	unsigned long value = events->one_by_one ? 1 : events->count;
	if (n < (long)sizeof value) /* the first part of several */
		return -EINVAL;
	events->count -= value;
	memcpy(to, &value, sizeof value);
	__impasse_update(events, POLLOUT);
	return sizeof value;
}

long __impasse_random(unsigned char *to, long n)
{
	for (long i = 0; i < n; i++)
		to[i] = (unsigned char)__impasse_random_byte(n);
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
	case PIPE: case SOCKET: return __impasse_read_queue(inode, to, n);
	case EVENTS: return read_events(inode, to, n);
	case POLLER: return -EINVAL;
	case ZERO_DEVICE: memset(to, 0, (size_t)n); return n;
	case RANDOM_DEVICE: return __impasse_random((unsigned char *)to, n);
	case NULL_DEVICE: return 0;
	default: return -EBADF;
	}
}

long __impasse_write_file(struct inode *inode, const unsigned char *from, long n, long offset)
{
	long error = __impasse_load(inode);
	if (!error && offset + n > inode->size)
		error = __impasse_resize(inode, offset + n);
	if (error)
		return error;
	memcpy(inode->data + offset, from, (size_t)n);
	return n;
}

/* The number to add to a counter, or that of an error; there is room for it. */
static long write_events(struct inode *events, const void *from, long n)
{
	unsigned long value;
	if (n < (long)sizeof value)
		return -EINVAL;
	memcpy(&value, from, sizeof value);
	if (value > MOST_EVENTS)
		return -EINVAL;
	events->count += value;
	__impasse_update(events, POLLIN);
	return sizeof value;
}

static long write_part(struct inode *inode, const unsigned char *from, long n, long offset)
{
	switch (inode->kind) {
	case REGULAR: return __impasse_write_file(inode, from, n, offset);
	case PIPE: case SOCKET: return __impasse_write_queue(inode, from, n);
	case EVENTS: return write_events(inode, from, n);
	case POLLER: return -EINVAL;
	case OUTPUT: __impasse_output(inode->stream, from, (unsigned long)n); return n;
	case NULL_DEVICE: case ZERO_DEVICE: case RANDOM_DEVICE: return n;
	default: return -EBADF;
	}
}

/* What is read from or written to. */
static struct inode *side(const struct description *d, int writing)
{
	return writing && d->out ? d->out : d->inode;
}

/* All parts, until one is not transferred whole. */
static long transfer(struct description *d, const struct iovec *parts, int count, long offset, int writing)
{
	long total = 0;
	struct inode *inode = side(d, writing);
	long at = offset >= 0 ? offset : writing && (d->flags & O_APPEND) ? inode->size : d->offset;
	for (int i = 0; i < count; i++) {
		long n = (long)parts[i].iov_len;
		if (!n)
			continue;
		long done = writing ? write_part(inode, parts[i].iov_base, n, at + total)
		                    : read_part(inode, parts[i].iov_base, n, at + total);
		if (done < 0)
			return total ? total : done;
		total += done;
		if (done < n || inode->kind == EVENTS)
			break;
	}
	if (offset < 0 && inode->kind == REGULAR)
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

/* Whether all of a transfer that has to be whole has room. */
static int fits(const struct inode *inode, const struct iovec *parts, long size, int writing)
{
	if (!writing)
		return 1;
	if (inode->kind != EVENTS) /* What is no longer than PIPE_BUF goes into a pipe whole. */
		return inode->kind == SOCKET || size > PIPE_BUF || size <= inode->room - inode->size;
	unsigned long value = 0;
	if (parts->iov_len >= sizeof value)
		memcpy(&value, parts->iov_base, sizeof value);
	return value > MOST_EVENTS || value <= MOST_EVENTS - inode->count;
}

/* One attempt; sets *wait if it has to wait. Datagrams alone have names. */
static long attempt(struct description *d, const struct iovec *parts, int count, long offset, int writing, int flags,
                    const struct socket_name *name, struct wait *wait)
{
	if (!d || !(writing ? __impasse_may_write(d) : __impasse_may_read(d)))
		return -EBADF;
	struct inode *inode = side(d, writing);
	if (inode->kind == SOCKET && __impasse_is_for_datagrams(inode))
		return offset >= 0 ? -ESPIPE : __impasse_attempt_datagram(d, parts, count, writing, name, flags, wait);
	if (inode->kind == SOCKET && !d->out)
		return __impasse_unconnected(inode, writing);
	if (!__impasse_is_queue(inode) && inode->kind != EVENTS)
		return transfer(d, parts, count, offset, writing);
	if (offset >= 0)
		return -ESPIPE;
	if (writing && inode->kind != EVENTS && (!inode->readers || !inode->writers))
		return -EPIPE;
	long size = total_length(parts, count);
	if (inode->kind == EVENTS && size < (long)sizeof inode->count)
		return -EINVAL;
	if (!size)
		return 0;
	if (!writing && inode->reset && !inode->size) {
		inode->reset = 0;
		return -ECONNRESET;
	}
	if ((writing ? inode->has_room : inode->has_data) && fits(inode, parts, size, writing))
		return transfer(d, parts, count, offset, writing);
	if ((d->flags | flags) & O_NONBLOCK)
		return -EAGAIN;
	if (writing)
		inode->has_room = 0;
	*wait = (struct wait){inode, writing ? &inode->has_room : &inode->has_data};
	return 0;
}

int __impasse_wait_between(struct wait wait)
{
	wait.of->users++;
	__impasse_atomic_end();
	int ended = __impasse_block_while_equal(wait.word, 0, __impasse_cancellable, 0);
	__impasse_atomic_begin();
	wait.of->users--;
	__impasse_release_inode(wait.of);
	return ended;
}

/* `flags` holds O_NONBLOCK if this transfer must not wait whatever the descriptor says. What is open stays so until the
 * transfer is over, even if its descriptor is closed meanwhile. */
static long blocking_transfer(int fd, const struct iovec *parts, int count, long offset, int writing, int flags,
                              const struct socket_name *name)
{
	__impasse_atomic_begin();
	struct description *d = __impasse_description(fd);
	long result;
	for (int held = 0;; held = 1) {
		struct wait wait = {0, 0};
		result = attempt(d, parts, count, offset, writing, flags, name, &wait);
		int waits = wait.of != 0;
		if (waits && !held)
			d->references++;
		if (waits && !__impasse_wait_between(wait))
			continue;
		if (waits)
			result = -EINTR;
		if (waits || held)
			__impasse_let_go(d);
		break;
	}
	__impasse_atomic_end();
	return result;
}

long __impasse_read(int fd, const struct iovec *parts, int count, long offset)
{
	return blocking_transfer(fd, parts, count, offset, 0, 0, 0);
}

long __impasse_receive(int fd, const struct iovec *parts, int count, int flags, const struct socket_name *name)
{
	return blocking_transfer(fd, parts, count, -1, 0, flags, name);
}

/* What is left of the part in which byte `done` of all lies. */
static struct iovec rest_after(const struct iovec *parts, long done)
{
	while ((size_t)done >= parts->iov_len)
		done -= (long)parts++->iov_len;
	return (struct iovec){(char *)parts->iov_base + done, parts->iov_len - (size_t)done};
}

/* A write to a queue goes on until all of it is through. */
long __impasse_send(int fd, const struct iovec *parts, int count, long offset, int flags, const struct socket_name *name)
{
	long size = total_length(parts, count);
	long total = blocking_transfer(fd, parts, count, offset, 1, flags, name);
	long done = total;
	while (done > 0 && total < size) {
		struct iovec rest = rest_after(parts, total);
		done = blocking_transfer(fd, &rest, 1, offset < 0 ? -1 : offset + total, 1, flags, 0);
		if (done > 0)
			total += done;
	}
	return done == -EPIPE ? done : total;
}

long __impasse_write(int fd, const struct iovec *parts, int count, long offset)
{
	long total = __impasse_send(fd, parts, count, offset, 0, 0);
	if (total == -EPIPE)
		raise(SIGPIPE);
	return total;
}
