/* Error messages as glibc has them, and musl lacks: see gnu.c. */
#ifndef IMPASSE_ERROR_H
#define IMPASSE_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

void error(int status, int number, const char *format, ...) __attribute__((__format__(__printf__, 3, 4)));
void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
	__attribute__((__format__(__printf__, 5, 6)));
extern void (*error_print_progname)(void);
extern unsigned error_message_count;
extern int error_one_per_line;

#ifdef __cplusplus
}
#endif

#endif
