/* The calls that make, move, remove and list names. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include "files.h"
#include "impasse_machine.h"
#include "kernel.h"

/* The place of a name that must not exist yet. */
static long find_free(struct place *at, int folder_fd, const char *path)
{
	long error = __impasse_find(at, folder_fd, path, 0);
	if (!error && !at->inode)
		__impasse_missing(path);
	if (!error && at->inode)
		return -EEXIST;
	return error ? error : __impasse_may_change(at->folder);
}

static long add_new(struct place *at, struct inode *inode)
{
	if (!inode)
		return -ENOSPC;
	long error = __impasse_add_entry(at->folder, at->name, inode);
	if (error)
		__impasse_release_inode(inode);
	return error;
}

long __impasse_add_file(int folder_fd, const char *path, enum kind kind, unsigned mode)
{
	struct place at;
	long error = find_free(&at, folder_fd, path);
	return error ? error : add_new(&at, __impasse_new_inode(kind, mode & ~__impasse_umask()));
}

static long make_symbolic_link(const char *target, int folder_fd, const char *path)
{
	struct place at;
	if (!*target)
		return -ENOENT;
	long error = find_free(&at, folder_fd, path);
	if (error)
		return error;
	struct inode *inode = __impasse_new_inode(LINK, 0777);
	if (!inode)
		return -ENOSPC;
	size_t length = strlen(target);
	if ((error = __impasse_resize(inode, (long)length + 1))) {
		__impasse_release_inode(inode);
		return error;
	}
	memcpy(inode->data, target, length + 1);
	inode->size = (long)length;
	return add_new(&at, inode);
}

static long make_link(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
	struct inode *inode;
	struct place at;
	long error = __impasse_find_existing(&inode, from_fd, from, flags & AT_SYMLINK_FOLLOW);
	if (!error)
		error = find_free(&at, to_fd, to);
	if (error)
		return error;
	return inode->kind == FOLDER ? -EPERM : __impasse_add_entry(at.folder, at.name, inode);
}

static int is_dot(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

static long remove_name(int folder_fd, const char *path, int folder)
{
	struct place at;
	long error = __impasse_find(&at, folder_fd, path, 0);
	if (error)
		return error;
	if (!at.inode)
		return __impasse_missing(path);
	if ((error = __impasse_may_change(at.folder)))
		return error;
	if (folder && at.inode->kind != FOLDER)
		return -ENOTDIR;
	if (!folder && at.inode->kind == FOLDER)
		return -EISDIR;
	if (is_dot(at.name))
		return folder && at.name[1] ? -ENOTEMPTY : -EINVAL;
	if (folder && at.inode->entries)
		return -ENOTEMPTY;
	__impasse_remove_entry(at.folder, at.name);
	return 0;
}

static int is_inside(const struct inode *folder, const struct inode *of)
{
	for (;; folder = folder->parent) {
		if (folder == of)
			return 1;
		if (folder->parent == folder)
			return 0;
	}
}

static long may_replace(const struct inode *old, const struct inode *new)
{
	if (old->kind != FOLDER)
		return new->kind == FOLDER ? -ENOTDIR : 0;
	if (new->kind != FOLDER)
		return -EISDIR;
	return old->entries ? -ENOTEMPTY : 0;
}

static long rename_file(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
	struct place a, b;
	if (flags)
		return -EINVAL;
	long error = __impasse_find(&a, from_fd, from, 0);
	if (!error)
		error = __impasse_find(&b, to_fd, to, 0);
	if (error)
		return error;
	if (!a.inode)
		return __impasse_missing(from);
	if ((error = __impasse_may_change(a.folder)) || (error = __impasse_may_change(b.folder)))
		return error;
	if (is_dot(a.name) || is_dot(b.name))
		return -EBUSY;
	if (a.inode == b.inode)
		return 0;
	if (a.inode->kind == FOLDER && is_inside(b.folder, a.inode))
		return -EINVAL;
	if (b.inode) {
		if ((error = may_replace(b.inode, a.inode)))
			return error;
		__impasse_remove_entry(b.folder, b.name);
	}
	if ((error = __impasse_add_entry(b.folder, b.name, a.inode)))
		return error;
	__impasse_remove_entry(a.folder, a.name);
	return 0;
}

static long read_link(int folder_fd, const char *path, char *buffer, long n)
{
	struct inode *inode;
	long error = __impasse_find_existing(&inode, folder_fd, path, 0);
	if (error)
		return error;
	if (inode->kind != LINK || n <= 0)
		return -EINVAL;
	if (n > inode->size)
		n = inode->size;
	memcpy(buffer, inode->data, (size_t)n);
	return n;
}

static unsigned char type_of(const struct inode *inode)
{
	switch (inode->kind) {
	case FOLDER: return DT_DIR;
	case REGULAR: return DT_REG;
	case LINK: return DT_LNK;
	case PIPE: return DT_FIFO;
	case SOCKET: return DT_SOCK;
	default: return DT_CHR;
	}
}

/* Writes one entry; its length, or 0 if it does not fit. */
static long list_one(char *buffer, long n, const char *name, const struct inode *inode, long position)
{
	size_t length = strlen(name) + 1;
	long size = (long)(offsetof(struct dirent, d_name) + length + 7) & ~7L;
	if (size > n)
		return 0;
	struct dirent *d = (struct dirent *)buffer;
	d->d_ino = inode->number;
	d->d_off = position;
	d->d_reclen = (unsigned short)size;
	d->d_type = type_of(inode);
	memcpy(d->d_name, name, length);
	return size;
}

/* The position in a folder counts its entries; the first two are "." and "..". */
static long list_folder(int fd, char *buffer, long n)
{
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	struct inode *folder = d->inode;
	if (folder->kind != FOLDER)
		return -ENOTDIR;
	if (!__impasse_snapshot_count())
		__impasse_asks("a folder holds no files but those of the program", 0);
	long written = 0;
	struct entry *entry = folder->entries;
	for (long i = 2; entry && i < d->offset; i++)
		entry = entry->next;
	while (d->offset < 2 || entry) {
		const char *name = d->offset == 0 ? "." : d->offset == 1 ? ".." : entry->name;
		const struct inode *inode = d->offset == 0 ? folder : d->offset == 1 ? folder->parent : entry->inode;
		long size = list_one(buffer + written, n - written, name, inode, d->offset + 1);
		if (!size)
			return written ? written : -EINVAL;
		written += size;
		if (d->offset >= 2)
			entry = entry->next;
		d->offset++;
	}
	return written;
}

static const char *name_in(const struct inode *folder, const struct inode *inode)
{
	for (struct entry *entry = folder->entries; entry; entry = entry->next)
		if (entry->inode == inode)
			return entry->name;
	return 0;
}

/* Built from its end. */
static long current_path(char *buffer, long n)
{
	if (__impasse_current_folder()->parent == __impasse_current_folder())
		__impasse_asks("the current folder is \"/\"", 0);
	char path[PATH_MAX];
	char *start = path + sizeof path - 1;
	*start = 0;
	for (struct inode *at = __impasse_current_folder(); at->parent != at; at = at->parent) {
		const char *name = name_in(at->parent, at);
		if (!name)
			return -ENOENT;
		long length = (long)strlen(name);
		if (start - path < length + 1)
			return -ENAMETOOLONG;
		start -= length;
		memcpy(start, name, (size_t)length);
		*--start = '/';
	}
	if (!*start)
		*--start = '/';
	long size = path + sizeof path - start;
	if (size > n)
		return -ERANGE;
	memcpy(buffer, start, (size_t)size);
	return size;
}

static long change_to(struct inode *folder)
{
	if (folder->kind != FOLDER)
		return -ENOTDIR;
	long error = __impasse_may(folder, X_OK);
	if (!error)
		__impasse_set_current_folder(folder);
	return error;
}

static long change_folder(const char *path)
{
	struct inode *folder;
	long error = __impasse_find_existing(&folder, AT_FDCWD, path, 1);
	return error ? error : change_to(folder);
}

static long change_to_open_folder(int fd)
{
	struct description *d = __impasse_description(fd);
	return d ? change_to(d->inode) : -EBADF;
}

long __impasse_name_call(long n, long a, long b, long c, long d, long e)
{
	switch (n) {
	case SYS_mkdir: return __impasse_add_file(AT_FDCWD, (void *)a, FOLDER, (unsigned)b);
	case SYS_mkdirat: return __impasse_add_file((int)a, (void *)b, FOLDER, (unsigned)c);
	case SYS_unlink: return remove_name(AT_FDCWD, (void *)a, 0);
	case SYS_rmdir: return remove_name(AT_FDCWD, (void *)a, 1);
	case SYS_unlinkat: return remove_name((int)a, (void *)b, (c & AT_REMOVEDIR) != 0);
	case SYS_rename: return rename_file(AT_FDCWD, (void *)a, AT_FDCWD, (void *)b, 0);
	case SYS_renameat: return rename_file((int)a, (void *)b, (int)c, (void *)d, 0);
	case SYS_renameat2: return rename_file((int)a, (void *)b, (int)c, (void *)d, (int)e);
	case SYS_link: return make_link(AT_FDCWD, (void *)a, AT_FDCWD, (void *)b, 0);
	case SYS_linkat: return make_link((int)a, (void *)b, (int)c, (void *)d, (int)e);
	case SYS_symlink: return make_symbolic_link((void *)a, AT_FDCWD, (void *)b);
	case SYS_symlinkat: return make_symbolic_link((void *)a, (int)b, (void *)c);
	case SYS_readlink: return read_link(AT_FDCWD, (void *)a, (void *)b, c);
	case SYS_readlinkat: return read_link((int)a, (void *)b, (void *)c, d);
	case SYS_getdents64: return list_folder((int)a, (void *)b, c);
	case SYS_getcwd: return current_path((void *)a, b);
	case SYS_chdir: return change_folder((void *)a);
	case SYS_fchdir: return change_to_open_folder((int)a);
	default: return -ENOSYS;
	}
}
