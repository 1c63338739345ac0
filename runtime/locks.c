/* The locks inside musl: of its own data, and of files. */
#include "stdio_impl.h"
#include "pthread_impl.h"
#include <limits.h>
#include "impasse_machine.h"
#include "printing.h"

void __lock(volatile int *l)
{
	__impasse_lock(l, 1);
}

void __unlock(volatile int *l)
{
	__impasse_unlock(l);
}

/* A thread's number, in its structure, identifies the owner of a file's lock to musl's inline code. */
static int own_number(void)
{
	struct pthread *self = __pthread_self();
	if (!self->tid)
		self->tid = __impasse_thread_id();
	return self->tid;
}

int __lockfile(FILE *f)
{
	int self = own_number();
	if (f->lock == self)
		return 0;
	__impasse_lock(&f->lock, self);
	return 1;
}

void __unlockfile(FILE *f)
{
	__impasse_unlock(&f->lock);
}

int ftrylockfile(FILE *f)
{
	if (__impasse_is_printed_to(f))
		__impasse_share_streams();
	int self = own_number();
	int owner = a_cas(&f->lock, 0, self);
	if (owner == self) {
		if (f->lockcount == LONG_MAX)
			return -1;
		f->lockcount++;
		return 0;
	}
	if (owner)
		return -1;
	__register_locked_file(f, __pthread_self());
	return 0;
}

void __register_locked_file(FILE *f, pthread_t self)
{
	f->lockcount = 1;
	f->prev_locked = 0;
	f->next_locked = self->stdio_locks;
	if (f->next_locked)
		f->next_locked->prev_locked = f;
	self->stdio_locks = f;
}

void __unlist_locked_file(FILE *f)
{
	if (!f->lockcount)
		return;
	if (f->next_locked)
		f->next_locked->prev_locked = f->prev_locked;
	if (f->prev_locked)
		f->prev_locked->next_locked = f->next_locked;
	else
		__pthread_self()->stdio_locks = f->next_locked;
}

/* A file that its owner took along stays locked forever. */
void __do_orphaned_stdio_locks(void)
{
	for (FILE *f = __pthread_self()->stdio_locks; f; f = f->next_locked)
		a_store(&f->lock, 0x40000000);
}

/* The default attributes of threads never change, so their lock is none. */
void __acquire_ptc(void)
{
}

void __release_ptc(void)
{
}
