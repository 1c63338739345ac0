/* Functions of glibc's that musl lacks. */
#define _GNU_SOURCE
#include <errno.h>
#include <error.h>
#include <execinfo.h>
#include <locale.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "impasse_machine.h"
#include "include/pthread.h"
#include "include/stdlib.h"

void (*error_print_progname)(void);
unsigned error_message_count;
int error_one_per_line;

static void begin_message(void)
{
	fflush(stdout);
	if (error_print_progname)
		error_print_progname();
	else
		fprintf(stderr, "%s:", program_invocation_name);
}

static void end_message(int status, int number, const char *format, va_list arguments)
{
	vfprintf(stderr, format, arguments);
	error_message_count++;
	if (number)
		fprintf(stderr, ": %s", strerror(number));
	putc('\n', stderr);
	if (status)
		exit(status);
}

void error(int status, int number, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	begin_message();
	if (!error_print_progname)
		putc(' ', stderr);
	end_message(status, number, format, arguments);
	va_end(arguments);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
	static const char *last_file;
	static unsigned last_line;
	if (error_one_per_line) {
		int is_same = last_line == line && last_file && file && !strcmp(last_file, file);
		last_file = file;
		last_line = line;
		if (is_same)
			return;
	}
	va_list arguments;
	va_start(arguments, format);
	begin_message();
	if (file)
		fprintf(stderr, "%s:%u: ", file, line);
	else
		putc(' ', stderr);
	end_message(status, number, format, arguments);
	va_end(arguments);
}

/* A backtrace has as many addresses as can be found out: none. */
int backtrace(void **addresses, int size)
{
	(void)addresses, (void)size;
	return 0;
}

char **backtrace_symbols(void *const *addresses, int size)
{
	(void)addresses;
	return calloc(size + 1, sizeof(char *));
}

void backtrace_symbols_fd(void *const *addresses, int size, int fd)
{
	(void)addresses, (void)size, (void)fd;
}

/* Locks let readers in while writers wait. */
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind)
{
	if (kind < 0 || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
		return EINVAL;
	if (kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
		__impasse_unsupported("a reader-writer lock that prefers writers");
	attributes->__attr[1] = kind;
	return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *restrict attributes, int *restrict kind)
{
	*kind = attributes->__attr[1];
	return 0;
}

int pthread_yield(void)
{
	return sched_yield();
}

/* Hints to an allocator change nothing that a program can observe. */
int mallopt(int parameter, int value)
{
	(void)parameter, (void)value;
	return 1;
}

int malloc_trim(size_t padding)
{
	(void)padding;
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	va_start(arguments, request);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	return (int)syscall(SYS_ioctl, fd, request, argument);
}

/* Without MALLOC_TRACE in the environment, glibc traces nothing either. */
void mtrace(void)
{
}

void muntrace(void)
{
}

const char *gnu_get_libc_version(void)
{
	return "2.36";
}

const char *gnu_get_libc_release(void)
{
	return "stable";
}

void *rawmemchr(const void *text, int character)
{
	const unsigned char *at = text;
	while (*at != (unsigned char)character)
		at++;
	return (void *)at;
}

char *__impasse_gnu_basename(const char *path)
{
	const char *slash = strrchr(path, '/');
	return (char *)(slash ? slash + 1 : path);
}

/* Numbers look the same in every language. */
long strtol_l(const char *restrict text, char **restrict end, int base, locale_t locale)
{
	(void)locale;
	return strtol(text, end, base);
}

unsigned long strtoul_l(const char *restrict text, char **restrict end, int base, locale_t locale)
{
	(void)locale;
	return strtoul(text, end, base);
}

long long strtoll_l(const char *restrict text, char **restrict end, int base, locale_t locale)
{
	(void)locale;
	return strtoll(text, end, base);
}

unsigned long long strtoull_l(const char *restrict text, char **restrict end, int base, locale_t locale)
{
	(void)locale;
	return strtoull(text, end, base);
}
