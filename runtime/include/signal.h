/* What glibc has, and musl lacks. */
#include_next <signal.h>

#if (defined _GNU_SOURCE || defined _BSD_SOURCE) && !defined IMPASSE_SIGNAL_H
#define IMPASSE_SIGNAL_H
typedef void (*__sighandler_t)(int);
#define sigmask(number) (1u << ((number) - 1))
#endif
