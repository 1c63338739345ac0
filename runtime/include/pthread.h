/* What POSIX.1-2024 and glibc have, and musl lacks: see clocked_waits.c. */
#include_next <pthread.h>

#ifndef IMPASSE_PTHREAD_H
#define IMPASSE_PTHREAD_H

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
