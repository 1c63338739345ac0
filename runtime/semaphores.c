/* Semaphores with names. As there is one process, they live in its memory. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "impasse_machine.h"

struct named {
	struct named *next;
	sem_t semaphore;
	unsigned users;
	int unlinked;
	char name[];
};

static struct named *all;

/* A slash at the start does not count; any other is an error. */
static const char *plain_name(const char *name)
{
	while (*name == '/')
		name++;
	return *name && !strchr(name, '/') && strlen(name) <= NAME_MAX - 4 ? name : 0;
}

static struct named *find(const char *name)
{
	for (struct named *one = all; one; one = one->next)
		if (!one->unlinked && !strcmp(one->name, name))
			return one;
	return 0;
}

static int create(const char *name, unsigned value, struct named **made)
{
	if (value > SEM_VALUE_MAX)
		return EINVAL;
	struct named *one = calloc(1, sizeof *one + strlen(name) + 1);
	if (!one)
		return ENOMEM;
	strcpy(one->name, name);
	sem_init(&one->semaphore, 0, value);
	one->next = all;
	all = one;
	*made = one;
	return 0;
}

static void release(struct named *one)
{
	if (one->users || !one->unlinked)
		return;
	struct named **link = &all;
	while (*link != one)
		link = &(*link)->next;
	*link = one->next;
	sem_destroy(&one->semaphore);
	free(one);
}

sem_t *sem_open(const char *name, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	unsigned value = 0;
	if (flags & O_CREAT) {
		(void)va_arg(arguments, unsigned);
		value = va_arg(arguments, unsigned);
	}
	va_end(arguments);
	if (!(name = plain_name(name))) {
		errno = EINVAL;
		return SEM_FAILED;
	}
	__impasse_atomic_begin();
	struct named *one = find(name);
	int error = 0;
	if (!one)
		__impasse_asks("the semaphore \"%s\" does not exist", name);
	if (one && (flags & O_CREAT) && (flags & O_EXCL))
		error = EEXIST;
	else if (!one)
		error = flags & O_CREAT ? create(name, value, &one) : ENOENT;
	if (!error)
		one->users++;
	__impasse_atomic_end();
	if (!error)
		return &one->semaphore;
	errno = error;
	return SEM_FAILED;
}

int sem_close(sem_t *semaphore)
{
	struct named *one = (struct named *)((char *)semaphore - offsetof(struct named, semaphore));
	__impasse_atomic_begin();
	one->users--;
	release(one);
	__impasse_atomic_end();
	return 0;
}

int sem_unlink(const char *name)
{
	name = plain_name(name);
	__impasse_atomic_begin();
	struct named *one = name ? find(name) : 0;
	if (one) {
		one->unlinked = 1;
		release(one);
	}
	__impasse_atomic_end();
	if (one)
		return 0;
	if (name)
		__impasse_asks("the semaphore \"%s\" does not exist", name);
	errno = name ? ENOENT : EINVAL;
	return -1;
}
