/* Exit handlers: 32 of them need no memory, as in musl; that of others is freed when the last of a block is called. */
#include <stdlib.h>
#include <stdint.h>
#include "libc.h"
#include "lock.h"

#define COUNT 32

struct handler {
	void (*function)(void *);
	void *argument;
};

struct block {
	struct block *next;
	struct handler handlers[COUNT];
};

static struct block first, *head;
static int used;
static volatile int lock[1];

static int take_last(struct handler *h)
{
	LOCK(lock);
	if (!used && head && head->next) {
		struct block *empty = head;
		head = empty->next;
		used = COUNT;
		free(empty);
	}
	int any = used > 0;
	if (any)
		*h = head->handlers[--used];
	UNLOCK(lock);
	return any;
}

/* A handler may add further ones: take one at a time. */
void __funcs_on_exit(void)
{
	struct handler h;
	while (take_last(&h))
		h.function(h.argument);
}

void __cxa_finalize(void *dso)
{
	(void)dso;
}

static int add(struct handler h)
{
	if (!head)
		head = &first;
	if (used == COUNT) {
		struct block *more = malloc(sizeof *more);
		if (!more)
			return -1;
		more->next = head;
		head = more;
		used = 0;
	}
	head->handlers[used++] = h;
	return 0;
}

int __cxa_atexit(void (*function)(void *), void *argument, void *dso)
{
	(void)dso;
	LOCK(lock);
	int result = add((struct handler){function, argument});
	UNLOCK(lock);
	return result;
}

static void call(void *function)
{
	((void (*)(void))(uintptr_t)function)();
}

int atexit(void (*function)(void))
{
	return __cxa_atexit(call, (void *)(uintptr_t)function, 0);
}
