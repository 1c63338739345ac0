/* The calls that ask for and set what is known of a file, and the way to all calls about files. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "files.h"
#include "kernel.h"
#include "kstat.h"

enum { OWNER = 1000 };

static unsigned mask = 022;

unsigned __impasse_umask(void)
{
	return mask;
}

static long set_mask(unsigned new)
{
	unsigned old = mask;
	mask = new & 0777;
	return old;
}

static unsigned format(const struct inode *inode)
{
	switch (inode->kind) {
	case FOLDER: return S_IFDIR;
	case REGULAR: return S_IFREG;
	case LINK: return S_IFLNK;
	case PIPE: return S_IFIFO;
	case SOCKET: return S_IFSOCK;
	case EVENTS: case POLLER: return 0;
	default: return S_IFCHR;
	}
}

/* Files have no dates: all are of the beginning of time. */
static long describe(struct inode *inode, struct kstat *st)
{
	long error = __impasse_load(inode);
	if (error)
		return error;
	memset(st, 0, sizeof *st);
	st->st_dev = 1;
	st->st_ino = inode->number;
	st->st_nlink = inode->kind == FOLDER ? 2 : inode->links;
	st->st_mode = format(inode) | inode->permissions;
	st->st_uid = st->st_gid = OWNER;
	st->st_size = inode->kind == REGULAR || inode->kind == LINK ? inode->size : 0;
	st->st_blksize = 4096;
	st->st_blocks = (st->st_size + 511) / 512;
	return 0;
}

/* The inode that a descriptor, or a path from a folder, means. */
static long subject(struct inode **inode, int fd, const char *path, int flags)
{
	if (path && (*path || !(flags & AT_EMPTY_PATH)))
		return __impasse_find_existing(inode, fd, path, !(flags & AT_SYMLINK_NOFOLLOW));
	if (fd == AT_FDCWD) {
		*inode = __impasse_current_folder();
		return 0;
	}
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	*inode = d->inode;
	return 0;
}

static long describe_at(int fd, const char *path, struct kstat *st, int flags)
{
	struct inode *inode;
	long error = subject(&inode, fd, path, flags);
	return error ? error : describe(inode, st);
}

static long access_at(int fd, const char *path, int wanted, int flags)
{
	struct inode *inode;
	long error = subject(&inode, fd, path, flags);
	if (error)
		return error;
	return __impasse_may(inode, wanted);
}

static long set_permissions(int fd, const char *path, unsigned permissions, int flags)
{
	struct inode *inode;
	long error = subject(&inode, fd, path, flags);
	if (!error)
		inode->permissions = permissions & 07777;
	return error;
}

static long exists(int fd, const char *path, int flags)
{
	struct inode *inode;
	return subject(&inode, fd, path, flags);
}

static long set_size(struct inode *inode, long size)
{
	if (inode->kind == FOLDER)
		return -EISDIR;
	if (inode->kind != REGULAR || size < 0)
		return -EINVAL;
	long error = __impasse_load(inode);
	return error ? error : __impasse_resize(inode, size);
}

static long truncate_path(const char *path, long size)
{
	struct inode *inode;
	long error = __impasse_find_existing(&inode, AT_FDCWD, path, 1);
	if (!error && inode->kind == REGULAR)
		error = __impasse_may(inode, W_OK);
	return error ? error : set_size(inode, size);
}

static long truncate_open(int fd, long size)
{
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	return (d->flags & O_ACCMODE) == O_RDONLY ? -EINVAL : set_size(d->inode, size);
}

long __impasse_stat_call(long n, long a, long b, long c, long d)
{
	switch (n) {
	case SYS_stat: return describe_at(AT_FDCWD, (void *)a, (void *)b, 0);
	case SYS_lstat: return describe_at(AT_FDCWD, (void *)a, (void *)b, AT_SYMLINK_NOFOLLOW);
	case SYS_fstat: return describe_at((int)a, 0, (void *)b, 0);
#ifdef SYS_newfstatat
	case SYS_newfstatat: return describe_at((int)a, (void *)b, (void *)c, (int)d);
#endif
	case SYS_access: return access_at(AT_FDCWD, (void *)a, (int)b, 0);
	case SYS_faccessat: return access_at((int)a, (void *)b, (int)c, 0);
	case SYS_faccessat2: return access_at((int)a, (void *)b, (int)c, (int)d);
	case SYS_chmod: return set_permissions(AT_FDCWD, (void *)a, (unsigned)b, 0);
	case SYS_fchmod: return set_permissions((int)a, 0, (unsigned)b, 0);
	case SYS_fchmodat: return set_permissions((int)a, (void *)b, (unsigned)c, 0);
	case SYS_fchmodat2: return set_permissions((int)a, (void *)b, (unsigned)c, (int)d);
	case SYS_chown: return exists(AT_FDCWD, (void *)a, 0);
	case SYS_lchown: return exists(AT_FDCWD, (void *)a, AT_SYMLINK_NOFOLLOW);
	case SYS_fchown: return exists((int)a, 0, 0);
	case SYS_fchownat: case SYS_utimensat: return exists((int)a, (void *)b, (int)d);
	case SYS_truncate: return truncate_path((void *)a, b);
	case SYS_ftruncate: return truncate_open((int)a, b);
	case SYS_umask: return set_mask((unsigned)a);
	default: return -ENOSYS;
	}
}

long __impasse_file_call(long n, long a, long b, long c, long d, long e)
{
	switch (n) {
	case SYS_sync: return 0;
	case SYS_close: case SYS_dup: case SYS_dup2: case SYS_dup3: case SYS_pipe: case SYS_pipe2: case SYS_fcntl:
	case SYS_lseek: case SYS_ioctl: case SYS_fsync: case SYS_fdatasync:
	case SYS_eventfd: case SYS_eventfd2:
		return __impasse_descriptor_call(n, a, b, c);
	case SYS_epoll_create: case SYS_epoll_create1: case SYS_epoll_ctl:
		return __impasse_poller_call(n, a, b, c, d);
	case SYS_socketpair: case SYS_shutdown: case SYS_socket: case SYS_bind: case SYS_listen: case SYS_getsockname:
	case SYS_getpeername: case SYS_setsockopt: case SYS_getsockopt:
		return __impasse_socket_call(n, a, b, c, d, e);
	case SYS_mknod: return __impasse_make_node(AT_FDCWD, (void *)a, (unsigned)b);
	case SYS_mknodat: return __impasse_make_node((int)a, (void *)b, (unsigned)c);
	case SYS_mkdir: case SYS_mkdirat: case SYS_unlink: case SYS_unlinkat: case SYS_rmdir: case SYS_rename:
	case SYS_renameat: case SYS_renameat2: case SYS_link: case SYS_linkat: case SYS_symlink: case SYS_symlinkat:
	case SYS_readlink: case SYS_readlinkat: case SYS_getdents64: case SYS_getcwd: case SYS_chdir: case SYS_fchdir:
		return __impasse_name_call(n, a, b, c, d, e);
	default:
		return __impasse_stat_call(n, a, b, c, d);
	}
}
