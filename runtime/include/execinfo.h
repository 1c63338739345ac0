/* Backtraces as glibc has them, and musl lacks: see gnu.c. */
#ifndef IMPASSE_EXECINFO_H
#define IMPASSE_EXECINFO_H

#ifdef __cplusplus
extern "C" {
#endif

int backtrace(void **addresses, int size);
char **backtrace_symbols(void *const *addresses, int size);
void backtrace_symbols_fd(void *const *addresses, int size, int fd);

#ifdef __cplusplus
}
#endif

#endif
