/* What POSIX.1-2024 and glibc have, and musl lacks: see clocked_waits.c. */
#include_next <semaphore.h>

#ifndef IMPASSE_SEMAPHORE_H
#define IMPASSE_SEMAPHORE_H

#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C"
#endif
int sem_clockwait(sem_t *__restrict, clockid_t, const struct timespec *__restrict);

#endif
