/* Memory that is never given twice, so that each access to freed memory, and beyond the end of an
 * allocation, is noticed. */
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ARENA ((size_t)8 << 30)
/* Between allocations. */
#define GAP 32

enum { NEVER, LIVE, FREED };

static char *arena;
/* One of the above for each byte. */
static uint8_t *states;
static size_t used;
static int lock;

struct header {
	size_t size;
	size_t magic;
};
#define MAGIC 0x1a9a55e5eed5eedull

static void *reserve(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return at == MAP_FAILED ? NULL : at;
}

/* Whether an allocation fails on the path, so that each of them has to ask. */
static bool may_fail;

__attribute__((constructor(101))) static void begin(void)
{
	may_fail = getenv("IMPASSE_ALLOCATIONS_FAIL") != NULL;
}

static void *allocate(size_t size, size_t alignment, uintptr_t caller)
{
	if (may_fail && steered() && arrive(CALL_ORDERS_NOTHING, NULL, 0, caller)) {
		errno = ENOMEM;
		return NULL;
	}
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
	if (!arena) {
		states = reserve(ARENA);
		arena = states ? reserve(ARENA) : NULL;
	}
	void *found = NULL;
	size_t at = used + GAP + sizeof(struct header);
	at = (at + alignment - 1) & ~(alignment - 1);
	if (arena && size < ARENA && at < ARENA - size) {
		used = at + size;
		*(struct header *)(arena + at - sizeof(struct header)) =
			(struct header){size, MAGIC};
		memset(states + at, LIVE, size);
		found = arena + at;
		note_allocation(found, size, caller);
	} else {
		errno = ENOMEM;
	}
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
	return found;
}

static bool is_ours(const volatile void *at)
{
	return arena && (char *)at >= arena && (char *)at < arena + ARENA;
}

bool is_of_arena(uintptr_t at)
{
	return is_ours((void *)at) ||
	       (states && at >= (uintptr_t)states && at < (uintptr_t)states + ARENA);
}

static struct header *header(void *at)
{
	struct header *header = (struct header *)((char *)at - sizeof *header);
	return header->magic == MAGIC && ((uintptr_t)at & 7) == 0 ? header : NULL;
}

void check_memory(const volatile void *address, size_t size, uintptr_t caller)
{
	if (!is_ours(address)) {
		check_marks(address, size, caller);
		return;
	}
	const uint8_t *state = states + ((char *)address - arena);
	for (size_t n = 0; n < size; n++)
		if (state[n] != LIVE)
			failed(state[n] == FREED ? FAILURE_USE_AFTER_FREE : FAILURE_OUT_OF_BOUNDS,
			       caller);
}

static void release(void *at, uintptr_t caller)
{
	if (at && !is_ours(at) && steered())
		failed(FAILURE_INVALID_FREE, caller);
	if (!at || !is_ours(at))
		return;
	size_t offset = (char *)at - arena;
	struct header *of = offset > GAP ? header(at) : NULL;
	bool freed = of && (of->size ? states[offset] == FREED : false);
	if (steered() && (!of || freed))
		failed(of ? FAILURE_DOUBLE_FREE : FAILURE_INVALID_FREE, caller);
	if (!of)
		return;
	memset(states + offset, FREED, of->size);
	note_freed(at);
}

void *malloc(size_t size)
{
	return allocate(size, 16, CALLER);
}

void *calloc(size_t count, size_t size)
{
	size_t total;
	if (__builtin_mul_overflow(count, size, &total)) {
		errno = ENOMEM;
		return NULL;
	}
	return allocate(total, 16, CALLER);
}

void free(void *at)
{
	if (at && steered() && is_ours(at))
		arrive(CLASS_CALL, at, 0, CALLER);
	release(at, CALLER);
}

void *realloc(void *at, size_t size)
{
	if (at && steered())
		arrive(CLASS_CALL, at, 0, CALLER);
	void *to = allocate(size, 16, CALLER);
	if (at && to) {
		size_t old = header(at) ? header(at)->size : 0;
		memcpy(to, at, old < size ? old : size);
		release(at, CALLER);
	}
	return to;
}

int posix_memalign(void **at, size_t alignment, size_t size)
{
	*at = allocate(size, alignment < 16 ? 16 : alignment, CALLER);
	return *at ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return allocate(size, alignment < 16 ? 16 : alignment, CALLER);
}

void *memalign(size_t alignment, size_t size)
{
	return aligned_alloc(alignment, size);
}

void *valloc(size_t size)
{
	return allocate(size, 4096, CALLER);
}

size_t malloc_usable_size(void *at)
{
	return at && header(at) ? header(at)->size : 0;
}
