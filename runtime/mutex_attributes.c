/* Attributes of mutexes beyond their type: robust ones are the machine's; protocols and priority
 * ceilings are kept, but mean nothing, since every order of threads is explored whatever their
 * priorities.
 *
 * In the attribute, and at byte 16 of the mutex: bits 0-1 type, 2 robust, 3 priority inheritance, 4
 * priority ceiling, 7 shared between processes, 8-15 the ceiling. */
#include <errno.h>
#include <pthread.h>

enum { ROBUST = 1 << 2, INHERIT = 1 << 3, PROTECT = 1 << 4, CEILING = 8, CEILING_MASK = 0xff << CEILING };
enum { LEAST_PRIORITY = 1, GREATEST_PRIORITY = 99, ATTRIBUTES = 4 };

static void change(pthread_mutexattr_t *a, unsigned clear, unsigned set)
{
	a->__attr = (a->__attr & ~clear) | set;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *a, int robust)
{
	if (robust != PTHREAD_MUTEX_STALLED && robust != PTHREAD_MUTEX_ROBUST)
		return EINVAL;
	change(a, ROBUST, robust == PTHREAD_MUTEX_ROBUST ? ROBUST : 0);
	return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int protocol)
{
	switch (protocol) {
	case PTHREAD_PRIO_NONE: change(a, INHERIT | PROTECT, 0); return 0;
	case PTHREAD_PRIO_INHERIT: change(a, INHERIT | PROTECT, INHERIT); return 0;
	case PTHREAD_PRIO_PROTECT: change(a, INHERIT | PROTECT, PROTECT); return 0;
	default: return EINVAL;
	}
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict a, int *restrict protocol)
{
	*protocol = a->__attr & PROTECT ? PTHREAD_PRIO_PROTECT : a->__attr & INHERIT ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE;
	return 0;
}

static int is_priority(int ceiling)
{
	return ceiling >= LEAST_PRIORITY && ceiling <= GREATEST_PRIORITY;
}

static int ceiling_of(unsigned attributes)
{
	int ceiling = (int)((attributes & CEILING_MASK) >> CEILING);
	return ceiling ? ceiling : LEAST_PRIORITY;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *a, int ceiling)
{
	if (!is_priority(ceiling))
		return EINVAL;
	change(a, CEILING_MASK, (unsigned)ceiling << CEILING);
	return 0;
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict a, int *restrict ceiling)
{
	*ceiling = ceiling_of(a->__attr);
	return 0;
}

/* The word of a mutex that holds its attributes. */
static volatile unsigned *attributes_of(const pthread_mutex_t *m)
{
	return (volatile unsigned *)m + ATTRIBUTES;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict m, int *restrict ceiling)
{
	unsigned attributes = *attributes_of(m);
	if (!(attributes & PROTECT))
		return EINVAL;
	*ceiling = ceiling_of(attributes);
	return 0;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *restrict m, int ceiling, int *restrict old)
{
	if (!(*attributes_of(m) & PROTECT) || !is_priority(ceiling))
		return EINVAL;
	int error = pthread_mutex_lock(m);
	if (error)
		return error;
	unsigned before = *attributes_of(m);
	*attributes_of(m) = (before & ~(unsigned)CEILING_MASK) | (unsigned)ceiling << CEILING;
	if (old)
		*old = ceiling_of(before);
	return pthread_mutex_unlock(m);
}
