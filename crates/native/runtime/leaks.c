/* Memory that was allocated by the program and that nothing refers to when the process ends. */
#define _GNU_SOURCE
#include "objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST ((size_t)1 << 16)
#define FRAMES 16

static struct allocation {
	uintptr_t start, size;
	bool freed, reached, ours;
	uint32_t frames;
	uint64_t stack[FRAMES];
} allocations[MOST];
static size_t allocation_count;
static bool ending;

void note_allocation(void *at, size_t size, uintptr_t caller)
{
	if (!at || ending)
		return;
	size_t n = __atomic_fetch_add(&allocation_count, 1, __ATOMIC_RELAXED);
	if (n >= MOST)
		return;
	struct allocation *of = &allocations[n];
	*of = (struct allocation){.start = (uintptr_t)at, .size = size, .ours = steered()};
	if (!of->ours)
		return;
	of->frames = stack_from(caller, of->stack, FRAMES);
}

/* The allocation that an address points into, or next behind: they are in order of addresses but
 * for those that were made at the same time. */
static struct allocation *allocation_of(uintptr_t at)
{
	size_t low = 0, high = allocation_count < MOST ? allocation_count : MOST;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (allocations[middle].start <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	struct allocation *of = &allocations[low - 1];
	return at <= of->start + of->size ? of : NULL;
}

void note_freed(void *at)
{
	struct allocation *of = allocation_of((uintptr_t)at);
	if (of && of->start == (uintptr_t)at)
		of->freed = true;
}

/* What is still to be searched; an allocation is put there only once. */
static uint32_t open[MOST];
static size_t open_count;

static void search(uintptr_t from, uintptr_t to)
{
	from = (from + 7) & ~(uintptr_t)7;
	for (; from + 8 <= to; from += 8) {
		struct allocation *of = allocation_of(*(uintptr_t *)from);
		if (!of || of->reached || of->freed)
			continue;
		of->reached = true;
		open[open_count++] = of - allocations;
	}
}

void search_frame(uintptr_t from, uintptr_t to)
{
	search(from, to);
}

/* Searches a piece of memory that can be written, but for what is not the program's. */
static void search_piece(uintptr_t from, uintptr_t to)
{
	uintptr_t own[] = {(uintptr_t)allocations, (uintptr_t)open};
	uintptr_t ends[] = {(uintptr_t)(allocations + MOST), (uintptr_t)(open + MOST)};
	for (int n = 0; n < 2; n++)
		if (own[n] < to && ends[n] > from) {
			search(from, own[n]);
			search(ends[n], to);
			return;
		}
	search(from, to);
}

/* Returns from where a page is searched: that of a stack only as far as the thread is down. */
static uintptr_t start_of_search(uintptr_t page)
{
	uintptr_t start, end, now;
	for (uint32_t n = 0; stack_of(n, &start, &end, &now); n++)
		if (page >= start && page < end)
			return now > page ? now : page;
	return page;
}

#define PAGE 4096

static void search_all(void)
{
	char line[512], kind[8];
	unsigned long from, to;
	FILE *maps = fopen("/proc/self/maps", "r");
	if (!maps)
		return;
	while (fgets(line, sizeof line, maps))
		if (sscanf(line, "%lx-%lx %7s", &from, &to, kind) == 3 && kind[0] == 'r' &&
		    kind[1] == 'w' && !is_runtimes(from) && to - from < (uintptr_t)1 << 28)
			for (uintptr_t page = from; page < to; page += PAGE)
				search_piece(start_of_search(page), page + PAGE);
	fclose(maps);
	search_frames();
	while (open_count) {
		struct allocation *of = &allocations[open[--open_count]];
		search(of->start, of->start + of->size);
	}
}

/* After the program's own destructors. */
__attribute__((destructor(101))) static void end(void)
{
	if (!steered())
		return;
	size_t count = allocation_count < MOST ? allocation_count : MOST;
	set_stack_now((uintptr_t)__builtin_frame_address(0));
	ending = true;
	search_all();
	for (size_t n = 0; n < count && allocation_count < MOST; n++) {
		struct allocation *of = &allocations[n];
		if (of->ours && !of->freed && !of->reached && of->frames)
			noticed_at(FAILURE_LEAK, of->stack, of->frames);
	}
}
