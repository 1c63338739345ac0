/* Printing: what is written to standard output and standard error leaves at once, without the lock
 * and the buffer of the stream, so that threads that print do not depend on each other.
 * docs/internals/printing.md says why that makes no difference, and what the exceptions are for. */
#include "stdio_impl.h"
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include "impasse_machine.h"
#include "printing.h"

/* musl's functions under other names. */
int __impasse_locking_vfprintf(FILE *restrict f, const char *restrict format, va_list arguments);
int __impasse_locking_fputc(int c, FILE *f);
int __impasse_locking_puts(const char *s);

/* Defined if the program uses the stream. */
extern FILE __stdout_FILE __attribute__((__weak__));
extern FILE __stderr_FILE __attribute__((__weak__));

static int shared;

void __impasse_share_streams(void)
{
	if (!__atomic_load_n(&shared, __ATOMIC_SEQ_CST))
		__atomic_store_n(&shared, 1, __ATOMIC_SEQ_CST);
}

int __impasse_is_printed_to(const FILE *f)
{
	return f == &__stdout_FILE || f == &__stderr_FILE;
}

static int prints_alone(const FILE *f)
{
	return __impasse_is_printed_to(f) && !__atomic_load_n(&shared, __ATOMIC_SEQ_CST);
}

static size_t print(FILE *f, const unsigned char *data, size_t n)
{
	__impasse_output(f->fd, f->wbase, (unsigned long)(f->wpos - f->wbase));
	__impasse_output(f->fd, data, n);
	f->wpos = f->wbase = f->buf;
	f->wend = f->buf + f->buf_size;
	return n;
}

/* A stream of one call, in its place. */
static FILE *own_stream(FILE *own, const FILE *f, unsigned char *buffer, size_t size)
{
	int fd = f == &__stdout_FILE ? 1 : 2;
	*own = (FILE){.fd = fd, .flags = F_PERM | F_NORD, .lock = -1, .lbf = -1, .mode = -1, .write = print, .buf = buffer, .buf_size = size};
	return own;
}

int vfprintf(FILE *restrict f, const char *restrict format, va_list arguments)
{
	if (!prints_alone(f))
		return __impasse_locking_vfprintf(f, format, arguments);
	FILE own;
	unsigned char buffer[BUFSIZ];
	int written = __impasse_locking_vfprintf(own_stream(&own, f, buffer, sizeof buffer), format, arguments);
	print(&own, 0, 0);
	return written;
}

static size_t write_whole(const void *from, size_t n, FILE *f)
{
	FLOCK(f);
	n = __fwritex(from, n, f);
	FUNLOCK(f);
	return n;
}

size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict f)
{
	FILE own;
	size_t n = size * count;
	size_t written = write_whole(from, n, prints_alone(f) ? own_stream(&own, f, 0, 0) : f);
	return written == n ? (size ? count : 0) : written / size;
}
weak_alias(fwrite, fwrite_unlocked);

int fputc(int c, FILE *f)
{
	if (!prints_alone(f))
		return __impasse_locking_fputc(c, f);
	FILE own;
	return __impasse_locking_fputc(c, own_stream(&own, f, 0, 0));
}

int putc(int c, FILE *f)
{
	return fputc(c, f);
}
weak_alias(putc, _IO_putc);

int putchar(int c)
{
	return fputc(c, stdout);
}

int puts(const char *s)
{
	if (!prints_alone(stdout))
		return __impasse_locking_puts(s);
	FILE own;
	unsigned char buffer[BUFSIZ];
	own_stream(&own, stdout, buffer, sizeof buffer);
	write_whole(s, strlen(s), &own);
	print(&own, (const unsigned char *)"\n", 1);
	return 0;
}

/* Writes what is in the buffer, or returns what was read ahead. */
static int flush(FILE *f)
{
	FLOCK(f);
	int has_failed = 0;
	if (f->wpos != f->wbase) {
		f->write(f, 0, 0);
		has_failed = !f->wpos;
	}
	if (!has_failed) {
		if (f->rpos != f->rend)
			f->seek(f, f->rpos - f->rend, SEEK_CUR);
		f->rpos = f->rend = 0;
		f->wbase = f->wpos = f->wend = 0;
	}
	FUNLOCK(f);
	return has_failed ? EOF : 0;
}

static int is_to_be_written(FILE *f)
{
	FLOCK(f);
	int is_dirty = f->wpos != f->wbase;
	FUNLOCK(f);
	return is_dirty;
}

static int flush_all(void)
{
	int result = 0;
	if (&__stdout_FILE)
		result |= fflush(&__stdout_FILE);
	if (&__stderr_FILE)
		result |= fflush(&__stderr_FILE);
	for (FILE *f = *__ofl_lock(); f; f = f->next)
		if (is_to_be_written(f))
			result |= flush(f);
	__ofl_unlock();
	return result;
}

int fflush(FILE *f)
{
	if (!f)
		return flush_all();
	if (!prints_alone(f))
		return flush(f);
	/* Nothing is in a buffer; under x86-TSO, the lock drains the thread's stores. */
	__impasse_output(f == &__stdout_FILE ? 1 : 2, "", 0);
	return 0;
}
weak_alias(fflush, fflush_unlocked);

/* A thread that prints without locking has locked the stream, or races with the others. */
int (putc_unlocked)(int c, FILE *f)
{
	if (__impasse_is_printed_to(f))
		__impasse_share_streams();
	return putc_unlocked(c, f);
}
weak_alias(putc_unlocked, fputc_unlocked);
weak_alias(putc_unlocked, _IO_putc_unlocked);

int putchar_unlocked(int c)
{
	return (putc_unlocked)(c, stdout);
}
