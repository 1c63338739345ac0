/* What POSIX.1-2024 and glibc have, and musl lacks: see clocked_waits.c and gnu.c. */
#include_next <pthread.h>

#ifndef IMPASSE_PTHREAD_H
#define IMPASSE_PTHREAD_H

/* The type is at byte 16 of a mutex. glibc's adaptive mutexes differ from normal ones in speed only. */
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {{{0, 0, 0, 0, PTHREAD_MUTEX_RECURSIVE}}}
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP {{{0, 0, 0, 0, PTHREAD_MUTEX_ERRORCHECK}}}
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_INITIALIZER
#define PTHREAD_MUTEX_ADAPTIVE_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_MUTEX_ROBUST_NP PTHREAD_MUTEX_ROBUST
#define PTHREAD_MUTEX_STALLED_NP PTHREAD_MUTEX_STALLED
#define pthread_mutexattr_setrobust_np pthread_mutexattr_setrobust
#define pthread_mutexattr_getrobust_np pthread_mutexattr_getrobust
#define pthread_mutex_consistent_np pthread_mutex_consistent

/* In glibc, the second is like the first. */
enum {
	PTHREAD_RWLOCK_PREFER_READER_NP,
	PTHREAD_RWLOCK_PREFER_WRITER_NP,
	PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP,
	PTHREAD_RWLOCK_DEFAULT_NP = PTHREAD_RWLOCK_PREFER_READER_NP
};

/* The kind is at byte 48 of a lock. */
#ifdef __LP64__
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP \
	{ { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, 0 } } }
#endif

#ifdef __cplusplus
extern "C" {
#endif

int pthread_mutex_clocklock(pthread_mutex_t *__restrict, clockid_t, const struct timespec *__restrict);
int pthread_cond_clockwait(pthread_cond_t *__restrict, pthread_mutex_t *__restrict, clockid_t,
                           const struct timespec *__restrict);
int pthread_rwlock_clockrdlock(pthread_rwlock_t *__restrict, clockid_t, const struct timespec *__restrict);
int pthread_rwlock_clockwrlock(pthread_rwlock_t *__restrict, clockid_t, const struct timespec *__restrict);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *, int);
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *__restrict, int *__restrict);
#ifdef _GNU_SOURCE
int pthread_yield(void);
int pthread_clockjoin_np(pthread_t, void **, clockid_t, const struct timespec *);
#endif

#ifdef __cplusplus
}
#endif

/* In C++, the end of a scope runs its clean-up handler, whatever ends it, as with glibc. */
#if defined __cplusplus && defined __EXCEPTIONS
class __impasse_cleanup_handler {
	void (*__function)(void *);
	void *__argument;
	bool __runs;

public:
	__impasse_cleanup_handler(void (*__f)(void *), void *__x) : __function(__f), __argument(__x), __runs(true) {}
	__impasse_cleanup_handler(const __impasse_cleanup_handler &) = delete;
	~__impasse_cleanup_handler()
	{
		if (__runs)
			__function(__argument);
	}
	void __end(int __run) { __runs = __run; }
};
#undef pthread_cleanup_push
#undef pthread_cleanup_pop
#define pthread_cleanup_push(f, x) do { __impasse_cleanup_handler __impasse_handler(f, x)
#define pthread_cleanup_pop(r) __impasse_handler.__end(r); } while (0)
#endif

#endif
