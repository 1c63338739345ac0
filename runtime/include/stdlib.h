/* What glibc has, and musl lacks: see gnu.c. libc++ has these functions itself. */
#include_next <stdlib.h>

/* As with glibc, programs that include this header find uint, ssize_t, int32_t, ... in it. */
#if defined __IMPASSE__ && (defined _GNU_SOURCE || defined _BSD_SOURCE)
#include <sys/types.h>
#endif

#if defined _GNU_SOURCE && !defined __cplusplus && !defined IMPASSE_STDLIB_H
#define IMPASSE_STDLIB_H

struct __locale_struct;

long strtol_l(const char *__restrict, char **__restrict, int, struct __locale_struct *);
unsigned long strtoul_l(const char *__restrict, char **__restrict, int, struct __locale_struct *);
long long strtoll_l(const char *__restrict, char **__restrict, int, struct __locale_struct *);
unsigned long long strtoull_l(const char *__restrict, char **__restrict, int, struct __locale_struct *);

#endif
