/* Files and folders in memory, and the way from a path to them.
 *
 * The tree is planted at the first use: a program without files carries no more than this
 * module's zeros. Data of the snapshot are copied when a file is first opened. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "files.h"
#include "impasse_machine.h"

enum { LINKS_FOLLOWED = 40 };

static struct inode *root_folder;
static struct inode *current_folder;
static unsigned long numbers = 10;

struct inode *__impasse_new_inode(enum kind kind, unsigned permissions)
{
	struct inode *inode = calloc(1, sizeof *inode);
	if (inode) {
		inode->kind = kind;
		inode->permissions = permissions & 07777;
		inode->number = numbers++;
		inode->snapshot = NO_SNAPSHOT;
		inode->room = kind == PIPE || kind == SOCKET ? PIPE_CAPACITY : 0;
	}
	return inode;
}

long __impasse_may(const struct inode *inode, int wanted)
{
	int allowed = inode->permissions >> 6 & 7;
	return wanted & ~allowed ? -EACCES : 0;
}

long __impasse_may_change(const struct inode *folder)
{
	return __impasse_may(folder, W_OK | X_OK);
}

void __impasse_release_inode(struct inode *inode)
{
	if (inode->links || inode->users)
		return;
	free(inode->data);
	free(inode);
}

/* Each byte is an input. */
static void read_unknown(unsigned char *to, long n)
{
	static int is_read;
	if (is_read++)
		__impasse_unsupported("standard input of unknown content that is opened a second time");
	for (long i = 0; i < n; i++)
		to[i] = (unsigned char)__impasse_unknown_byte(0);
}

long __impasse_load(struct inode *inode)
{
	long i = inode->snapshot;
	if (i == NO_SNAPSHOT)
		return 0;
	inode->snapshot = NO_SNAPSHOT;
	long size = __impasse_snapshot_size(i);
	long error = __impasse_resize(inode, size);
	if (i == STANDARD_INPUT && !size)
		__impasse_asks("standard input is empty", 0);
	if (!error && i == STANDARD_INPUT && __impasse_input_is_unknown())
		read_unknown(inode->data, size);
	else if (!error && size)
		__impasse_snapshot_read(i, inode->data, 0, size);
	return error;
}

/* New bytes are zero. */
long __impasse_resize(struct inode *inode, long size)
{
	if (size > inode->capacity) {
		long capacity = size > 2 * inode->capacity ? size : 2 * inode->capacity;
		unsigned char *data = realloc(inode->data, (size_t)capacity);
		if (!data)
			return -ENOSPC;
		inode->data = data;
		inode->capacity = capacity;
	}
	if (size > inode->size)
		memset(inode->data + inode->size, 0, (size_t)(size - inode->size));
	inode->size = size;
	return 0;
}

long __impasse_add_entry(struct inode *folder, const char *name, struct inode *inode)
{
	size_t length = strlen(name) + 1;
	struct entry *entry = malloc(sizeof *entry + length);
	if (!entry)
		return -ENOSPC;
	entry->next = 0;
	entry->inode = inode;
	memcpy(entry->name, name, length);
	struct entry **end = &folder->entries;
	while (*end)
		end = &(*end)->next;
	*end = entry;
	inode->links++;
	if (inode->kind == FOLDER)
		inode->parent = folder;
	return 0;
}

void __impasse_remove_entry(struct inode *folder, const char *name)
{
	for (struct entry **p = &folder->entries; *p; p = &(*p)->next) {
		if (!strcmp((*p)->name, name)) {
			struct entry *entry = *p;
			*p = entry->next;
			entry->inode->links--;
			__impasse_release_inode(entry->inode);
			free(entry);
			return;
		}
	}
}

static struct inode *child(struct inode *folder, const char *name)
{
	if (!strcmp(name, "."))
		return folder;
	if (!strcmp(name, ".."))
		return folder->parent;
	for (struct entry *entry = folder->entries; entry; entry = entry->next)
		if (!strcmp(entry->name, name))
			return entry->inode;
	return 0;
}

static struct inode *plant(struct inode *folder, const char *name, enum kind kind, unsigned permissions)
{
	struct inode *inode = child(folder, name);
	if (inode)
		return inode;
	inode = __impasse_new_inode(kind, permissions);
	if (!inode || __impasse_add_entry(folder, name, inode))
		__impasse_unsupported("a failing allocation while the file system is set up");
	return inode;
}

/* An entry of the snapshot: its folders come before it. */
static void plant_snapshot(long i)
{
	struct inode *folder = root_folder;
	const char *path = __impasse_snapshot_path(i);
	for (;;) {
		char name[NAME_MAX + 1];
		size_t length = strcspn(path, "/");
		if (!length)
			return;
		if (length > NAME_MAX)
			__impasse_unsupported("a file name of the snapshot that is longer than 255 bytes");
		memcpy(name, path, length);
		name[length] = 0;
		if (path[length] == 0) {
			plant(folder, name, REGULAR, 0644)->snapshot = i;
			return;
		}
		folder = plant(folder, name, FOLDER, 0755);
		path += length + 1;
	}
}

static void plant_tree(void)
{
	root_folder = __impasse_new_inode(FOLDER, 0755);
	if (!root_folder)
		__impasse_unsupported("a failing allocation while the file system is set up");
	root_folder->parent = root_folder;
	root_folder->links = 1;
	current_folder = root_folder;
	long entries = __impasse_snapshot_count();
	for (long i = 0; i < entries; i++)
		plant_snapshot(i);
	plant(root_folder, "tmp", FOLDER, 01777);
	struct inode *dev = plant(root_folder, "dev", FOLDER, 0755);
	plant(dev, "shm", FOLDER, 01777);
	plant(dev, "null", NULL_DEVICE, 0666);
	plant(dev, "zero", ZERO_DEVICE, 0666);
	plant(dev, "random", RANDOM_DEVICE, 0666);
	plant(dev, "urandom", RANDOM_DEVICE, 0666);
	plant(dev, "stdin", REGULAR, 0444)->snapshot = STANDARD_INPUT;
	plant(dev, "stdout", OUTPUT, 0222)->stream = 1;
	plant(dev, "stderr", OUTPUT, 0222)->stream = 2;
}

struct inode *__impasse_current_folder(void)
{
	if (!root_folder)
		plant_tree();
	return current_folder;
}

void __impasse_set_current_folder(struct inode *folder)
{
	struct inode *before = current_folder;
	folder->users++;
	current_folder = folder;
	if (before != root_folder) {
		before->users--;
		__impasse_release_inode(before);
	}
}

static long start_folder(struct inode **folder, int fd, const char *path)
{
	struct inode *current = __impasse_current_folder();
	*folder = *path == '/' ? root_folder : current;
	if (*path == '/' || fd == AT_FDCWD)
		return 0;
	struct description *d = __impasse_description(fd);
	if (!d)
		return -EBADF;
	*folder = d->inode;
	return 0;
}

/* Takes the first name off a path; says whether more follows, or a negated error number. */
static long first_name(char *name, const char **path)
{
	while (**path == '/')
		++*path;
	size_t length = strcspn(*path, "/");
	if (length > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(name, *path, length);
	name[length] = 0;
	*path += length;
	const char *rest = *path + strspn(*path, "/");
	return *rest != 0;
}

static long walk(struct place *place, struct inode *folder, const char *path, int follow, int links)
{
	for (;;) {
		if (folder->kind != FOLDER)
			return -ENOTDIR;
		long more = __impasse_may(folder, X_OK);
		if (!more)
			more = first_name(place->name, &path);
		if (more < 0)
			return more;
		if (!*place->name)
			strcpy(place->name, ".");
		place->folder = folder;
		place->inode = child(folder, place->name);
		int last = !more;
		if (place->inode && place->inode->kind == LINK && (!last || follow)) {
			if (links == LINKS_FOLLOWED)
				return -ELOOP;
			const char *target = (const char *)place->inode->data;
			long error = walk(place, *target == '/' ? root_folder : folder, target, 1, links + 1);
			if (error)
				return error;
		}
		if (last)
			return *path == '/' && place->inode && place->inode->kind != FOLDER ? -ENOTDIR : 0;
		if (!place->inode)
			return -ENOENT;
		folder = place->inode;
	}
}

long __impasse_missing(const char *path)
{
	if (!__impasse_snapshot_count())
		__impasse_asks("the file \"%s\" does not exist", path);
	return -ENOENT;
}

long __impasse_find(struct place *place, int folder_fd, const char *path, int follow)
{
	struct inode *folder;
	if (!*path)
		return -ENOENT;
	long error = start_folder(&folder, folder_fd, path);
	if (!error)
		error = walk(place, folder, path, follow, 0);
	return error == -ENOENT ? __impasse_missing(path) : error;
}

long __impasse_find_existing(struct inode **inode, int folder_fd, const char *path, int follow)
{
	struct place place;
	long error = __impasse_find(&place, folder_fd, path, follow);
	if (error)
		return error;
	*inode = place.inode;
	return place.inode ? 0 : __impasse_missing(path);
}
