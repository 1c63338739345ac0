/* Waiting for one of a set of descriptors that is kept: epoll.
 *
 * A poller is an inode with a list of interests. One that is to be told only of what is new
 * (EPOLLET) notes which events have come since it was last told; all others are told whenever the
 * descriptor is ready. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include "files.h"
#include "impasse_machine.h"
#include "kernel.h"

struct interest {
	struct interest *next;
	int fd;
	struct description *of;
	struct epoll_event event;
	short fresh; /* with EPOLLET: what has come since the last time */
	int asleep;  /* with EPOLLONESHOT: it was told of */
};

/* All pollers, so that a descriptor which is closed leaves all of them. */
struct poller {
	struct poller *next;
	struct inode *inode;
};

static struct poller *pollers;

/* What a poller has to tell of an interest. */
static short news(const struct interest *i)
{
	if (i->asleep || (i->event.events & EPOLLET && !(i->fresh & (i->event.events | POLLHUP | POLLERR))))
		return 0;
	return __impasse_ready(i->of, (short)(i->event.events & 0x7fff));
}

int __impasse_finds_any(const struct inode *poller)
{
	for (const struct interest *i = poller->interests; i; i = i->next)
		if (news(i))
			return 1;
	return 0;
}

void __impasse_renew_interests(struct inode *inode, short events)
{
	for (struct poller *poller = pollers; poller; poller = poller->next)
		for (struct interest *i = poller->inode->interests; i; i = i->next)
			if (i->event.events & EPOLLET && (i->of->inode == inode || i->of->out == inode))
				i->fresh |= events;
}

static void drop(struct interest **link)
{
	struct interest *gone = *link;
	*link = gone->next;
	free(gone);
}

void __impasse_drop_interests(const struct description *d)
{
	for (struct poller *poller = pollers; poller; poller = poller->next) {
		struct interest **link = &poller->inode->interests;
		while (*link) {
			if ((*link)->of == d)
				drop(link);
			else
				link = &(*link)->next;
		}
	}
}

void __impasse_close_poller(struct inode *inode)
{
	while (inode->interests)
		drop(&inode->interests);
	struct poller **link = &pollers;
	while ((*link)->inode != inode)
		link = &(*link)->next;
	struct poller *gone = *link;
	*link = gone->next;
	free(gone);
}

static long make_poller(int flags)
{
	if (flags & ~EPOLL_CLOEXEC)
		return -EINVAL;
	struct poller *poller = malloc(sizeof *poller);
	struct inode *inode = poller ? __impasse_new_inode(POLLER, 0600) : 0;
	if (!inode) {
		free(poller);
		return -ENOMEM;
	}
	*poller = (struct poller){pollers, inode};
	pollers = poller;
	long fd = __impasse_place_new(inode, 0, O_RDWR | flags);
	if (fd < 0) {
		__impasse_close_poller(inode);
		__impasse_release_inode(inode);
	}
	return fd;
}

static long add(struct interest **end, int fd, struct description *d, const struct epoll_event *event)
{
	if (d->inode->kind == REGULAR || d->inode->kind == FOLDER)
		return -EPERM;
	struct interest *new = malloc(sizeof *new);
	if (!new)
		return -ENOMEM;
	*new = (struct interest){0, fd, d, *event, EVERY_EVENT, 0};
	*end = new;
	return 0;
}

static long change(struct inode *poller, int operation, int fd, struct description *d, const struct epoll_event *event)
{
	struct interest **link = &poller->interests;
	while (*link && ((*link)->fd != fd || (*link)->of != d))
		link = &(*link)->next;
	switch (operation) {
	case EPOLL_CTL_ADD:
		return *link ? -EEXIST : add(link, fd, d, event);
	case EPOLL_CTL_MOD:
		if (!*link)
			return -ENOENT;
		(*link)->event = *event;
		(*link)->fresh = EVERY_EVENT;
		(*link)->asleep = 0;
		return 0;
	case EPOLL_CTL_DEL:
		if (!*link)
			return -ENOENT;
		drop(link);
		return 0;
	default:
		return -EINVAL;
	}
}

static long control(int poller_fd, int operation, int fd, const struct epoll_event *event)
{
	struct description *poller = __impasse_description(poller_fd), *d = __impasse_description(fd);
	if (!poller || !d)
		return -EBADF;
	if (poller->inode->kind != POLLER || d == poller)
		return -EINVAL;
	if (d->inode->kind == POLLER)
		__impasse_unsupported("an epoll descriptor in the set of another");
	long error = change(poller->inode, operation, fd, d, event);
	if (!error)
		__impasse_wake_polls(poller->inode, 0);
	return error;
}

long __impasse_poller_call(long n, long a, long b, long c, long d)
{
	switch (n) {
	case SYS_epoll_create: return (int)a <= 0 ? -EINVAL : make_poller(0);
	case SYS_epoll_create1: return make_poller((int)a);
	default: return control((int)a, (int)b, (int)c, (void *)d);
	}
}

struct wanted {
	int fd;
	struct epoll_event *events;
	int most;
};

/* Tells of up to `most` interests. Those told of go to the end, so that none is put off forever. */
static long look(void *of)
{
	struct wanted *wanted = of;
	struct description *d = __impasse_description(wanted->fd);
	if (!d)
		return -EBADF;
	if (d->inode->kind != POLLER)
		return -EINVAL;
	int found = 0;
	struct interest *told = 0, **told_end = &told, **link = &d->inode->interests;
	while (*link && found < wanted->most) {
		struct interest *i = *link;
		short now = news(i);
		if (!now) {
			link = &i->next;
			continue;
		}
		wanted->events[found].events = (unsigned short)now;
		wanted->events[found++].data = i->event.data;
		i->fresh = 0;
		i->asleep = (i->event.events & EPOLLONESHOT) != 0;
		*link = i->next;
		*told_end = i;
		i->next = 0;
		told_end = &i->next;
	}
	while (*link)
		link = &(*link)->next;
	*link = told;
	return found;
}

long __impasse_epoll_wait(int fd, struct epoll_event *events, int most, long nanoseconds, const unsigned long *mask)
{
	if (most <= 0)
		return -EINVAL;
	struct wanted wanted = {fd, events, most};
	return __impasse_wait(look, &wanted, nanoseconds, mask);
}
