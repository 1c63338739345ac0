/* Functions of <string.h>, <wchar.h> and <stdio.h> whose destination must not overlap what they read. */
#include "stdio_impl.h"
#include <stdarg.h>
#include <string.h>
#include <wchar.h>
#include "impasse_machine.h"

static char *copy(const char *function, char *to, const char *from)
{
	size_t n = strlen(from) + 1;
	__impasse_disjoint(function, to, n, from, n);
	memcpy(to, from, n);
	return to + n - 1;
}

static char *copy_padded(const char *function, char *to, const char *from, size_t n)
{
	size_t length = strnlen(from, n);
	__impasse_disjoint(function, to, n, from, length + (length < n));
	memcpy(to, from, length);
	memset(to + length, 0, n - length);
	return to + length;
}

char *strcpy(char *restrict to, const char *restrict from)
{
	copy("strcpy", to, from);
	return to;
}

char *stpcpy(char *restrict to, const char *restrict from)
{
	return copy("stpcpy", to, from);
}

char *__stpcpy(char *restrict to, const char *restrict from)
{
	return copy("stpcpy", to, from);
}

char *strcat(char *restrict to, const char *restrict from)
{
	copy("strcat", to + strlen(to), from);
	return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
	copy_padded("strncpy", to, from, n);
	return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n)
{
	return copy_padded("stpncpy", to, from, n);
}

char *__stpncpy(char *restrict to, const char *restrict from, size_t n)
{
	return copy_padded("stpncpy", to, from, n);
}

char *strncat(char *restrict to, const char *restrict from, size_t n)
{
	char *end = to + strlen(to);
	size_t length = strnlen(from, n);
	__impasse_disjoint("strncat", end, length + 1, from, length + (length < n));
	memcpy(end, from, length);
	end[length] = 0;
	return to;
}

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
	size_t n = (wcslen(from) + 1) * sizeof *to;
	__impasse_disjoint("wcscpy", to, n, from, n);
	return memcpy(to, from, n);
}

/* There are no differences of addresses here: a compiler may compute them in an order that shows
 * numbers. */
struct destination {
	char *start;
	size_t filled, left;
};

static void append(struct destination *d, const unsigned char *from, size_t n)
{
	if (n > d->left)
		n = d->left;
	if (!n)
		return;
	__impasse_disjoint("sprintf", d->start, d->filled + n, from, n);
	memcpy(d->start + d->filled, from, n);
	d->filled += n;
	d->left -= n;
}

static size_t write_to_memory(FILE *f, const unsigned char *from, size_t n)
{
	struct destination *d = f->cookie;
	append(d, f->wbase, (size_t)(f->wpos - f->wbase));
	append(d, from, n);
	d->start[d->filled] = 0;
	f->wpos = f->wbase = f->buf;
	return n;
}

/* Nothing is written before the first conversion, which may read the destination; and no buffer comes between, so that what
 * is read is known where it is written. */
int vsnprintf(char *restrict to, size_t n, const char *restrict format, va_list arguments)
{
	unsigned char buffer[1];
	char none[1];
	struct destination d = {n ? to : none, 0, n ? n - 1 : 0};
	FILE f = {
		.lbf = EOF, .write = write_to_memory, .lock = -1, .buf = buffer, .buf_size = sizeof buffer, .cookie = &d,
	};
	int result = vfprintf(&f, format, arguments);
	write_to_memory(&f, 0, 0);
	return result;
}
