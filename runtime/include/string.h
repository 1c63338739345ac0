/* With _GNU_SOURCE, strerror_r is glibc's, which returns the text; otherwise that of POSIX. */
#define strerror_r __xpg_strerror_r
#include_next <string.h>
#undef strerror_r

#ifdef __cplusplus
extern "C" {
#endif

#ifdef _GNU_SOURCE
char *strerror_r(int, char *, size_t);
#elif defined _POSIX_SOURCE || defined _POSIX_C_SOURCE || defined _XOPEN_SOURCE || defined _BSD_SOURCE
int strerror_r(int, char *, size_t) __asm__("__xpg_strerror_r");
#endif

#ifdef __cplusplus
}
#endif
