/* What threads synchronise by: locks, and what they wait for. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include "steered.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

/* The function of the C library that one of ours stands for. */
#define REAL(name)                                                                                 \
	({                                                                                         \
		static __typeof__(&name) found;                                                    \
		if (!found)                                                                        \
			found = (__typeof__(&name))real(#name);                                    \
		found;                                                                             \
	})

#define MOST_THREADS 1024

/* Calls that order only what is before them, or after them. */
#define CALL_ACQUIRES (CLASS_CALL | ORDER(__ATOMIC_ACQUIRE))
#define CALL_RELEASES (CLASS_CALL | ORDER(__ATOMIC_RELEASE))
/* A wait for a condition could end without a signal. */
#define CALL_ORDERS_NOTHING (CLASS_CALL | ORDER(7))

/* Notes that the thread no longer holds a mutex, which must be its own. */
void gave(void *lock, uintptr_t caller);
bool is_held(void *lock);
bool is_destroyed(void *object);
/* Arrives at a use of an object that must be there. Returns whether what is tried is to fail. */
bool use(enum class class, volatile void *object, size_t size, uintptr_t caller);
/* Arrives at a call that makes an object, or its end. */
void change(volatile void *object, size_t size, bool ends, uintptr_t caller);
/* Locks a mutex; a wait that may end late fails with ETIMEDOUT where the path says so. */
int lock_mutex(pthread_mutex_t *mutex, const struct timespec *until, uintptr_t caller);

/* The signals that the program blocks in this thread. */
const sigset_t *program_mask(void);
void set_program_mask(const sigset_t *mask);

/* Time as the program sees it: it passes only where it is waited for. */
void pass_until(const struct timespec *until);
/* When a duration ends that begins now. */
const struct timespec *end_of(const struct timespec *duration, struct timespec *end);

/* Notes that the alarm has come, which does not come again. */
void end_alarm(void);

#endif
