/* Names that glibc's headers give to functions of C, for programs preprocessed with them. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "impasse_machine.h"

int __xpg_strerror_r(int error, char *text, size_t size);

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

/* Macros of C that are functions in glibc as well. */
int (isnan)(double x) { return isnan(x); }
int (isinf)(double x) { return isinf(x) ? x > 0 ? 1 : -1 : 0; }
int isnanf(float x) { return isnan(x); }
int isinff(float x) { return isinf(x) ? x > 0 ? 1 : -1 : 0; }
int __isnan(double x) { return isnan(x); }
int __isinf(double x) { return isinf(x) ? x > 0 ? 1 : -1 : 0; }
int __finite(double x) { return isfinite(x); }

int _IO_getc(FILE *f) { return getc(f); }
int _IO_putc(int c, FILE *f) { return putc(c, f); }

/* With _FORTIFY_SOURCE: the size of the destination is known to the machine anyway. */
char *__strcpy_chk(char *to, const char *from, size_t size) { (void)size; return strcpy(to, from); }
char *__stpcpy_chk(char *to, const char *from, size_t size) { (void)size; return stpcpy(to, from); }
char *__strcat_chk(char *to, const char *from, size_t size) { (void)size; return strcat(to, from); }
char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) { (void)size; return strncpy(to, from, n); }
char *__stpncpy_chk(char *to, const char *from, size_t n, size_t size) { (void)size; return stpncpy(to, from, n); }
char *__strncat_chk(char *to, const char *from, size_t n, size_t size) { (void)size; return strncat(to, from, n); }
void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) { (void)size; return memcpy(to, from, n); }
void *__memmove_chk(void *to, const void *from, size_t n, size_t size) { (void)size; return memmove(to, from, n); }
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size) { (void)size; return mempcpy(to, from, n); }
void *__memset_chk(void *to, int byte, size_t n, size_t size) { (void)size; return memset(to, byte, n); }
char *__fgets_chk(char *to, size_t size, int n, FILE *s) { (void)size; return fgets(to, n, s); }
size_t __fread_chk(void *to, size_t size, size_t one, size_t n, FILE *s) { (void)size; return fread(to, one, n, s); }
ssize_t __read_chk(int fd, void *to, size_t n, size_t size) { (void)size; return read(fd, to, n); }
int __vprintf_chk(int flag, const char *f, va_list a) { (void)flag; return vprintf(f, a); }
int __vfprintf_chk(FILE *s, int flag, const char *f, va_list a) { (void)flag; return vfprintf(s, f, a); }
int __vsprintf_chk(char *to, int flag, size_t size, const char *f, va_list a)
{
	(void)flag, (void)size;
	return vsprintf(to, f, a);
}
int __vsnprintf_chk(char *to, size_t n, int flag, size_t size, const char *f, va_list a)
{
	(void)flag, (void)size;
	return vsnprintf(to, n, f, a);
}
int __printf_chk(int flag, const char *f, ...) VARIADIC(flag, f, __vprintf_chk(flag, f, arguments))
int __fprintf_chk(FILE *s, int flag, const char *f, ...) VARIADIC(flag, f, __vfprintf_chk(s, flag, f, arguments))
int __sprintf_chk(char *to, int flag, size_t size, const char *f, ...)
	VARIADIC(flag, f, __vsprintf_chk(to, flag, size, f, arguments))
int __snprintf_chk(char *to, size_t n, int flag, size_t size, const char *f, ...)
	VARIADIC(flag, f, __vsnprintf_chk(to, n, flag, size, f, arguments))

_Noreturn void __longjmp_chk(jmp_buf buffer, int value) { longjmp(buffer, value); }

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

int __xpg_strerror_r(int error, char *text, size_t size)
{
	const char *message = strerror(error);
	size_t length = strlen(message);
	if (length < size) {
		memcpy(text, message, length + 1);
		return 0;
	}
	if (size) {
		memcpy(text, message, size - 1);
		text[size - 1] = 0;
	}
	return ERANGE;
}

/* The function of this name returns the text, as glibc's does. */
char *__impasse_strerror_r(int error, char *text, size_t size) __asm__("strerror_r");

char *__impasse_strerror_r(int error, char *text, size_t size)
{
	(void)text, (void)size;
	return strerror(error);
}
