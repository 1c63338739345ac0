/* Which bytes of the program's stack frames and global variables are not to be accessed, as
 * AddressSanitizer's instrumentation marks them: a byte of marks for eight bytes. */
#define _GNU_SOURCE
#include "steered.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the compiler assumes. */
#define MARKS ((uintptr_t)0x7fff8000)
#define END_OF_MARKS ((uintptr_t)0x10007fff8000)

enum mark { MARK_RETURNED = 0xf5, MARK_OUT_OF_SCOPE = 0xf8, MARK_BESIDE_GLOBAL = 0xf9 };

static bool ready;

void __asan_init(void)
{
	if (ready)
		return;
	void *at = mmap((void *)MARKS, END_OF_MARKS - MARKS, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	if (at == MAP_FAILED)
		_exit(116);
	madvise(at, END_OF_MARKS - MARKS, MADV_DONTDUMP);
	ready = true;
}

void __asan_version_mismatch_check_v8(void)
{
}

static uint8_t *mark_of(uintptr_t address)
{
	return (uint8_t *)((address >> 3) + MARKS);
}

/* Returns the mark of the first byte that is not to be accessed, or 0. */
static uint8_t bad_mark(uintptr_t address, size_t size)
{
	for (uintptr_t at = address; at < address + size; at++) {
		uint8_t mark = *mark_of(at);
		if (mark && (mark >= 8 || (at & 7) >= mark))
			return mark;
		if (!mark)
			at |= 7;
	}
	return 0;
}

static void leave_dead_frames(uintptr_t here);

void check_marks(const volatile void *address, size_t size, uintptr_t caller)
{
	leave_dead_frames((uintptr_t)__builtin_frame_address(0));
	uintptr_t at = (uintptr_t)address;
	if (!ready || at < 4096 || at + size > (uintptr_t)1 << 47 || size > (size_t)1 << 30)
		return;
	switch (bad_mark(at, size)) {
	case 0:
		return;
	case MARK_RETURNED:
	case MARK_OUT_OF_SCOPE:
		return noticed(FAILURE_USE_AFTER_RETURN, caller);
	default:
		return noticed(FAILURE_OUT_OF_BOUNDS, caller);
	}
}

static void mark(uintptr_t address, size_t size, uint8_t mark)
{
	memset(mark_of(address), mark, size >> 3);
	if ((size & 7) && !mark)
		*mark_of(address + size) = size & 7;
}

#define ACCESS(size)                                                                               \
	void __asan_load##size##_noabort(uintptr_t at)                                             \
	{                                                                                          \
		check_marks((void *)at, size, CALLER);                                             \
	}                                                                                          \
	void __asan_store##size##_noabort(uintptr_t at)                                            \
	{                                                                                          \
		check_marks((void *)at, size, CALLER);                                             \
	}
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

/* ThreadSanitizer's instrumentation passes over numbers of other sizes, such as a long double. */
static void access_unusual(enum class class, uintptr_t at, size_t size, uintptr_t caller)
{
	if (size & (size - 1))
		arrive(class, (void *)at, size, caller);
	check_marks((void *)at, size, caller);
}

void __asan_loadN_noabort(uintptr_t at, size_t size)
{
	access_unusual(CLASS_READ, at, size, CALLER);
}

void __asan_storeN_noabort(uintptr_t at, size_t size)
{
	access_unusual(CLASS_WRITE, at, size, CALLER);
}

#define SET(value)                                                                                 \
	void __asan_set_shadow_##value(uint8_t *marks, size_t size)                                \
	{                                                                                          \
		memset(marks, 0x##value, size);                                                    \
	}
SET(00)
SET(01)
SET(02)
SET(03)
SET(04)
SET(05)
SET(06)
SET(07)
SET(f1)
SET(f2)
SET(f3)
SET(f5)
SET(f8)

void __asan_poison_stack_memory(uintptr_t at, size_t size)
{
	mark(at, size, MARK_OUT_OF_SCOPE);
}

void __asan_unpoison_stack_memory(uintptr_t at, size_t size)
{
	mark(at, size, 0);
}

#define ALLOCA_ZONE ((uintptr_t)32)

/* A variable of a size that is not known before has zones on both sides. */
void __asan_alloca_poison(uintptr_t at, size_t size)
{
	uintptr_t end = (at + size + ALLOCA_ZONE - 1) & ~(ALLOCA_ZONE - 1);
	mark(at - ALLOCA_ZONE, ALLOCA_ZONE, 0xca);
	mark((at + size + 7) & ~(uintptr_t)7, end + ALLOCA_ZONE - ((at + size + 7) & ~(uintptr_t)7), 0xcb);
	if (size & 7)
		*mark_of(at + size) = size & 7;
}

void __asan_allocas_unpoison(uintptr_t top, uintptr_t bottom)
{
	if (top && top <= bottom)
		memset(mark_of(top), 0, (bottom - top) >> 3);
}

/* Frames are left: what they have marked on the stack must not stay. */
void __asan_handle_no_return(void)
{
	pthread_attr_t attributes;
	void *start;
	size_t size;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	if (pthread_getattr_np(pthread_self(), &attributes))
		return;
	pthread_attr_getstack(&attributes, &start, &size);
	pthread_attr_destroy(&attributes);
	uintptr_t end = (uintptr_t)start + size;
	if (here >= (uintptr_t)start && here < end)
		memset(mark_of(here), 0, (end - here) >> 3);
}

struct global {
	uintptr_t start, size, size_with_zone, name, module, has_initialiser, place, indicator;
};

static void mark_globals(struct global *globals, size_t count, uint8_t value)
{
	for (size_t n = 0; n < count; n++) {
		struct global *global = &globals[n];
		uintptr_t end = (global->start + global->size + 7) & ~(uintptr_t)7;
		mark(end, global->start + global->size_with_zone - end, value);
		if (global->size & 7)
			*mark_of(global->start + global->size) = value ? global->size & 7 : 0;
	}
}

void __asan_register_globals(struct global *globals, size_t count)
{
	mark_globals(globals, count, MARK_BESIDE_GLOBAL);
}

void __asan_unregister_globals(struct global *globals, size_t count)
{
	(void)globals, (void)count;
}

void __asan_register_elf_globals(uintptr_t *flag, void *start, void *stop)
{
	if (*flag || start == stop)
		return;
	*flag = 1;
	__asan_register_globals(start, ((char *)stop - (char *)start) / sizeof(struct global));
}

void __asan_unregister_elf_globals(uintptr_t *flag, void *start, void *stop)
{
	(void)flag, (void)start, (void)stop;
}

void __asan_before_dynamic_init(const char *module)
{
	(void)module;
}

void __asan_after_dynamic_init(void)
{
}

/* Frames whose variables may be used by mistake after they are left: no memory is used twice. */
#define FRAMES ((size_t)16 << 30)
static char *frames;
static size_t frames_used;
static uint8_t unused;

/* What comes before each. */
struct frame {
	uint64_t size, thread, stack, left;
	/* The one that the thread has entered before. */
	struct frame *before;
	uint64_t padding[3];
};

/* The last one that the thread has entered. */
static _Thread_local struct frame *newest;

static void leave_frame(struct frame *frame)
{
	frame->left = 1;
	mark((uintptr_t)(frame + 1), frame->size - sizeof *frame, MARK_RETURNED);
}

/* Leaves those that were entered after one, or from further down the stack than a place: by
 * exceptions or jumps. */
static void leave_frames(struct frame *until, uintptr_t stack)
{
	while (newest && newest != until && (until || newest->stack <= stack)) {
		leave_frame(newest);
		newest = newest->before;
	}
}

/* Leaves those of functions that an exception or a jump has ended: the stack does not reach down to
 * them any more. */
static void leave_dead_frames(uintptr_t here)
{
	uintptr_t start, end, now;
	if (!newest || newest->stack >= here)
		return;
	if (!stack_of(own_number(), &start, &end, &now) || here < start || here >= end)
		return;
	while (newest && newest->stack < here) {
		leave_frame(newest);
		newest = newest->before;
	}
}

bool is_runtimes(uintptr_t at)
{
	bool is_frame = frames && at >= (uintptr_t)frames && at < (uintptr_t)frames + FRAMES;
	return is_frame || (at >= MARKS && at < END_OF_MARKS) || is_of_arena(at);
}

void search_frames(void)
{
	uintptr_t start, end, now;
	for (size_t at = 0; at < frames_used;) {
		struct frame *frame = (struct frame *)(frames + at);
		bool is_there = !frame->left && stack_of(frame->thread, &start, &end, &now) &&
				now < end && frame->stack >= now;
		if (is_there)
			search_frame((uintptr_t)(frame + 1), (uintptr_t)frame + frame->size);
		at += frame->size;
	}
}

/* None outside of the thread's own stack, as signal handlers may have another one. */
static void *allocate_frame(size_t class, uintptr_t stack)
{
	uintptr_t start, end, now;
	if (!stack_of(own_number(), &start, &end, &now) || stack < start || stack >= end)
		return NULL;
	size_t size = ((size_t)64 << class) + sizeof(struct frame);
	if (!__atomic_load_n(&frames, __ATOMIC_ACQUIRE)) {
		char *none = NULL;
		char *at = mmap(NULL, FRAMES, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (at == MAP_FAILED)
			return NULL;
		madvise(at, FRAMES, MADV_DONTDUMP);
		__atomic_compare_exchange_n(&frames, &none, at, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	}
	size_t at = __atomic_fetch_add(&frames_used, size, __ATOMIC_RELAXED);
	if (at > FRAMES - size)
		return NULL;
	/* The instrumentation clears a byte to which the frame's last word points. */
	*(uint8_t **)(frames + at + size - sizeof(void *)) = &unused;
	struct frame *frame = (struct frame *)(frames + at);
	leave_frames(NULL, stack);
	*frame = (struct frame){.size = size, .thread = own_number(), .stack = stack, .before = newest};
	newest = frame;
	return frame + 1;
}

static bool is_entered(struct frame *frame)
{
	struct frame *at = newest;
	while (at && at != frame)
		at = at->before;
	return at != NULL;
}

static void leave(struct frame *frame)
{
	if (is_entered(frame)) {
		leave_frames(frame, 0);
		newest = frame->before;
	}
	leave_frame(frame);
}

#define FRAME(class)                                                                               \
	void *__asan_stack_malloc_always_##class(size_t size)                                      \
	{                                                                                          \
		(void)size;                                                                        \
		return allocate_frame(class, (uintptr_t)__builtin_frame_address(0));               \
	}                                                                                          \
	void __asan_stack_free_##class(uintptr_t frame, size_t size)                               \
	{                                                                                          \
		(void)size;                                                                        \
		leave((struct frame *)frame - 1);                                                  \
	}
FRAME(0)
FRAME(1)
FRAME(2)
FRAME(3)
FRAME(4)
FRAME(5)
FRAME(6)
FRAME(7)
FRAME(8)
FRAME(9)
FRAME(10)
