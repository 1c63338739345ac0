/* What glibc has, and musl lacks: see gnu.c. With _GNU_SOURCE, strerror_r is glibc's, which returns
   the text; otherwise that of POSIX. */
#define strerror_r __xpg_strerror_r
#include_next <string.h>
#undef strerror_r

#ifdef __cplusplus
extern "C" {
#endif

#ifdef _GNU_SOURCE
char *strerror_r(int, char *, size_t);
void *rawmemchr(const void *, int);
#if defined __IMPASSE__ && !defined basename && !defined __cplusplus
char *basename(const char *) __asm__("__impasse_gnu_basename");
#endif
#elif defined _POSIX_SOURCE || defined _POSIX_C_SOURCE || defined _XOPEN_SOURCE || defined _BSD_SOURCE
int strerror_r(int, char *, size_t) __asm__("__xpg_strerror_r");
#endif

#ifdef __cplusplus
}
#endif
