/* What glibc has, and musl lacks. */
#include_next <sys/types.h>

#if (defined _GNU_SOURCE || defined _BSD_SOURCE) && !defined IMPASSE_SYS_TYPES_H
#define IMPASSE_SYS_TYPES_H
typedef off_t loff_t;
typedef int daddr_t;
#endif
