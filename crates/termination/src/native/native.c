/*
 * Linked with a program to run it natively on the inputs of a certificate. The program is compiled so that it calls
 * __sanitizer_cov_trace_pc_guard in every block; after so many blocks the harness writes down how often each was executed, and ends.
 * It writes down as well what parts of the state held the last times that some blocks were executed, if the file `watch` asks for that.
 * The rest of this file is made for each program: inputs, count, again, blocks, passes, parts, report, watch, states.
 */
#include <inttypes.h>
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
	if (++total < blocks)
		return;
	FILE *file = fopen(report, "w");
	for (int i = 1; file && i < MOST; i++)
		if (executed[i].times)
			fprintf(file, "%d %p %" PRIu64 "\n", i, executed[i].address, executed[i].times);
	if (file)
		fclose(file);
	write_states();
	_exit(97);
}

__attribute__((__constructor__)) static void start(void)
{
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
