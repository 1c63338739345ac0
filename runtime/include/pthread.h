/* What POSIX.1-2024 and glibc have, and musl lacks: see clocked_waits.c. */
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

#ifdef __cplusplus
extern "C" {
#endif

int pthread_mutex_clocklock(pthread_mutex_t *__restrict, clockid_t, const struct timespec *__restrict);
int pthread_cond_clockwait(pthread_cond_t *__restrict, pthread_mutex_t *__restrict, clockid_t,
                           const struct timespec *__restrict);
int pthread_rwlock_clockrdlock(pthread_rwlock_t *__restrict, clockid_t, const struct timespec *__restrict);
int pthread_rwlock_clockwrlock(pthread_rwlock_t *__restrict, clockid_t, const struct timespec *__restrict);
#ifdef _GNU_SOURCE
int pthread_clockjoin_np(pthread_t, void **, clockid_t, const struct timespec *);
#endif

#ifdef __cplusplus
}
#endif

#endif
