/* Functions of the C library that are given memory, with what they do to it. */
#define _GNU_SOURCE
#include "objects.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void reads(const void *at, size_t size, uintptr_t caller)
{
	check_memory(at, size, caller);
}

static void writes(void *at, size_t size, uintptr_t caller)
{
	check_memory(at, size, caller);
}

void check_apart(const void *to, size_t written, const void *from, size_t read, uintptr_t caller)
{
	uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
	if (written && read && a < b + read && b < a + written)
		noticed(FAILURE_CALL, caller);
}

static size_t length_of(const char *text)
{
	return (const char *)rawmemchr(text, 0) - text;
}

size_t strlen(const char *text)
{
	size_t length = length_of(text);
	if (steered())
		reads(text, length + 1, CALLER);
	return length;
}

char *strcpy(char *to, const char *from)
{
	size_t size = length_of(from) + 1;
	if (steered()) {
		reads(from, size, CALLER);
		writes(to, size, CALLER);
		check_apart(to, size, from, size, CALLER);
	}
	return memmove(to, from, size);
}

char *strncpy(char *to, const char *from, size_t size)
{
	size_t length = strnlen(from, size);
	if (steered()) {
		reads(from, length + (length < size), CALLER);
		writes(to, size, CALLER);
		check_apart(to, size, from, length + (length < size), CALLER);
	}
	memmove(to, from, length);
	memset(to + length, 0, size - length);
	return to;
}

static char *append(char *to, const char *from, size_t length, bool ends, uintptr_t caller)
{
	size_t before = length_of(to);
	if (steered()) {
		reads(from, length + ends, caller);
		writes(to, before + length + 1, caller);
		check_apart(to + before, length + 1, from, length + ends, caller);
	}
	memmove(to + before, from, length);
	to[before + length] = 0;
	return to;
}

char *strcat(char *to, const char *from)
{
	return append(to, from, length_of(from), true, CALLER);
}

char *strncat(char *to, const char *from, size_t size)
{
	size_t length = strnlen(from, size);
	return append(to, from, length, length < size, CALLER);
}

int vsprintf(char *to, const char *format, va_list list)
{
	va_list again;
	va_copy(again, list);
	int length = steered() ? vsnprintf(NULL, 0, format, again) : -1;
	va_end(again);
	if (length >= 0)
		writes(to, length + 1, CALLER);
	return REAL(vsprintf)(to, format, list);
}

int sprintf(char *to, const char *format, ...)
{
	va_list list, again;
	va_start(list, format);
	va_copy(again, list);
	int length = steered() ? vsnprintf(NULL, 0, format, again) : -1;
	va_end(again);
	if (length >= 0)
		writes(to, length + 1, CALLER);
	int result = REAL(vsprintf)(to, format, list);
	va_end(list);
	return result;
}
