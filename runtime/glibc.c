/* Names that glibc's headers give to functions of C, for programs preprocessed with them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include "impasse_machine.h"

#define VARIADIC(name, last, call)      \
	{                               \
		va_list arguments;      \
		va_start(arguments, last); \
		int result = call;      \
		va_end(arguments);      \
		return result;          \
	}

#define SCANF(prefix)                                                                          \
	int prefix##_scanf(const char *f, ...) VARIADIC(prefix, f, vscanf(f, arguments))       \
	int prefix##_fscanf(FILE *s, const char *f, ...) VARIADIC(prefix, f, vfscanf(s, f, arguments)) \
	int prefix##_sscanf(const char *s, const char *f, ...) VARIADIC(prefix, f, vsscanf(s, f, arguments)) \
	int prefix##_vscanf(const char *f, va_list a) { return vscanf(f, a); }                 \
	int prefix##_vfscanf(FILE *s, const char *f, va_list a) { return vfscanf(s, f, a); }   \
	int prefix##_vsscanf(const char *s, const char *f, va_list a) { return vsscanf(s, f, a); }

SCANF(__isoc23)

long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }

int _IO_getc(FILE *f) { return getc(f); }
int _IO_putc(int c, FILE *f) { return putc(c, f); }

char *__strdup(const char *s) { return strdup(s); }
char *__strndup(const char *s, size_t n) { return strndup(s, n); }

unsigned gnu_dev_major(unsigned long dev) { return major(dev); }
unsigned gnu_dev_minor(unsigned long dev) { return minor(dev); }
unsigned long gnu_dev_makedev(unsigned a, unsigned b) { return makedev(a, b); }

_Noreturn void __assert_fail(const char *, const char *, int, const char *);

_Noreturn void __assert(const char *expression, const char *file, int line)
{
	__assert_fail(expression, file, line, "");
}

_Noreturn void __assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
	__assert_fail(strerror(error), file, (int)line, function);
}
