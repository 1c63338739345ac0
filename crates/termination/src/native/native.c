/*
 * Linked with a program to run it natively on the inputs of a certificate. The program is compiled so that it calls
 * __sanitizer_cov_trace_pc_guard in every block; after so many blocks the harness writes down how often each was executed, and ends.
 * It ends earlier where the time is over, or where the program has more memory than it may have: a proof speaks of a machine whose
 * memory has no end.
 * It writes down as well what parts of the state held the last times that some blocks were executed, if the file `watch` asks for that.
 * The rest of this file is made for each program: inputs, count, again, blocks, passes, parts, report, watch, states.
 */
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static uint32_t at;

static uint64_t next(void)
{
	if (at == count)
		at = again;
	if (at >= count)
		_exit(95);
	return inputs[at++];
}

#define INPUT(type, name) __attribute__((__weak__)) type __VERIFIER_nondet_##name(void)
#define INTEGER(type, name) INPUT(type, name) { return (type)next(); }
#define NARROW(type, name) INPUT(long long, name) { return (type)next(); }
#define WIDE(type, name) INPUT(type, name) { uint64_t lower = next(); return (type)((unsigned __int128)next() << 64 | lower); }
/* Numbers of a floating-point type take integral values. */
#define FLOATING(type, integer, name) INPUT(type, name) { return (type)(integer)next(); }
/* No certificate has an address as an input. */
#define ADDRESS(type, name)

INTEGER(_Bool, bool)
#include "inputs.h"

__attribute__((__weak__)) void __VERIFIER_assume(int condition)
{
	if (!condition)
		_exit(96);
}

__attribute__((__weak__)) void __VERIFIER_assert(int condition)
{
	if (!condition)
		abort();
}

__attribute__((__weak__)) void __VERIFIER_error(void)
{
	abort();
}

__attribute__((__weak__)) void reach_error(void)
{
	abort();
}

__attribute__((__weak__)) void __VERIFIER_atomic_begin(void)
{
}

__attribute__((__weak__)) void __VERIFIER_atomic_end(void)
{
}

enum { MOST = 1 << 16 };
/* How much memory the program may have, in bytes. */
enum { LARGEST = 1 << 29 };

static struct {
	void *address;
	uint64_t times;
} executed[MOST];
static uint64_t total;

static struct {
	char kind;
	int up;
	int64_t place;
	unsigned size;
} part[parts];
static unsigned known;

static struct {
	uint32_t guard;
	uint64_t held[parts];
} pass[passes];
static uint64_t passed;
static unsigned char watched[MOST];

static void note(uint32_t guard, void **frame)
{
	pass[passed % passes].guard = guard;
	for (unsigned i = 0; i < known; i++) {
		void **base = frame;
		for (int up = part[i].up; up > 0; up--)
			base = *base;
		intptr_t start = part[i].kind == 'f' ? (intptr_t)base : 0;
		uint64_t held = 0;
		memcpy(&held, (void *)(start + (intptr_t)part[i].place), part[i].size);
		pass[passed % passes].held[i] = held;
	}
	passed++;
}

static void write_states(void)
{
	FILE *file = fopen(states, "w");
	for (uint64_t i = passed > passes ? passed - passes : 0; file && i < passed; i++) {
		fprintf(file, "%u", pass[i % passes].guard);
		for (unsigned j = 0; j < known; j++)
			fprintf(file, " %" PRIx64, pass[i % passes].held[j]);
		fprintf(file, "\n");
	}
	if (file)
		fclose(file);
}

static int ending;

/* Writes down what was seen, and why there is no more. */
static _Noreturn void end(const char *why)
{
	ending = 1;
	FILE *file = fopen(report, "w");
	if (file)
		fprintf(file, "%s %" PRIu64 "\n", why, total);
	for (int i = 1; file && i < MOST; i++)
		if (executed[i].times)
			fprintf(file, "%d %p %" PRIu64 "\n", i, executed[i].address, executed[i].times);
	if (file)
		fclose(file);
	write_states();
	_exit(97);
}

static volatile sig_atomic_t late;

/* The next block is the last one; there may be none. */
static void hurry(int number)
{
	late = 1;
	signal(number, SIG_DFL);
	alarm(5);
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
	static uint32_t known;
	for (uint32_t *guard = start; guard < stop; guard++)
		*guard = known < MOST - 1 ? ++known : 0;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
	executed[*guard].address = __builtin_return_address(0);
	executed[*guard].times++;
	if (watched[*guard])
		note(*guard, *(void ***)__builtin_frame_address(0));
	if (++total >= blocks || late)
		end(late ? "late" : "long");
}

/* What the program has allocated, in bytes. */
static int64_t held;

/* Enters an allocation. */
static void *made(void *object, size_t size)
{
	if (object)
		held += malloc_usable_size(object);
	if (!ending && size && (!object || held > LARGEST))
		end("large");
	return object;
}

static void gone(void *object)
{
	if (object)
		held -= malloc_usable_size(object);
}

/* The allocator of the C library by its other names. */
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

__attribute__((__weak__)) void *malloc(size_t size)
{
	return made(__libc_malloc(size), size);
}

__attribute__((__weak__)) void *calloc(size_t count, size_t size)
{
	return made(__libc_calloc(count, size), count && size);
}

__attribute__((__weak__)) void *realloc(void *object, size_t size)
{
	gone(object);
	return made(__libc_realloc(object, size), size);
}

__attribute__((__weak__)) void *aligned_alloc(size_t alignment, size_t size)
{
	return made(__libc_memalign(alignment, size), size);
}

__attribute__((__weak__)) int posix_memalign(void **object, size_t alignment, size_t size)
{
	*object = made(__libc_memalign(alignment, size), size);
	return *object || !size ? 0 : ENOMEM;
}

__attribute__((__weak__)) void free(void *object)
{
	gone(object);
	__libc_free(object);
}

__attribute__((__constructor__)) static void start(void)
{
	signal(SIGALRM, hurry);
	alarm(20);
	/* A limit may end whoever runs it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	FILE *file = fopen(watch, "r");
	char kind[8];
	int up;
	int64_t place;
	unsigned size;
	while (file && fscanf(file, "%7s %d %" SCNd64 " %u", kind, &up, &place, &size) == 4) {
		if (!strcmp(kind, "block") && up < MOST) {
			watched[up] = 1;
		} else if (known < parts && size <= 8) {
			part[known].kind = !strcmp(kind, "frame") ? 'f' : 'g';
			part[known].up = up;
			part[known].place = place;
			part[known++].size = size;
		}
	}
	if (file)
		fclose(file);
}
