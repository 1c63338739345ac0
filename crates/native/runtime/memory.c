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

/* What allocated it, which says what may free it. */
enum maker { MALLOC, NEW, NEW_ARRAY, MMAP };

struct header {
	size_t size;
	uint32_t magic, maker;
};
#define MAGIC 0x5eed5eedu

static void *reserve(size_t size)
{
	void *at = mmap64(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return at == MAP_FAILED ? NULL : at;
}

/* Whether an allocation fails on the path, so that each of them has to ask. */
static bool may_fail;

__attribute__((constructor(101))) static void begin(void)
{
	may_fail = getenv("IMPASSE_ALLOCATIONS_FAIL") != NULL;
}

/* Tells the call from a yield. */
#define ALLOCATES 2

static void *allocate(size_t size, size_t alignment, enum maker maker, uintptr_t caller)
{
	if (may_fail && steered() && arrive_with(CALL_ORDERS_NOTHING, NULL, 0, ALLOCATES, caller)) {
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
			(struct header){size, MAGIC, maker};
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
	/* So that code shows it that nothing instruments. */
	memset(at, 0xdd, of->size);
	note_freed(at);
}

void *malloc(size_t size)
{
	return allocate(size, 16, MALLOC, CALLER);
}

void *calloc(size_t count, size_t size)
{
	size_t total;
	if (__builtin_mul_overflow(count, size, &total)) {
		errno = ENOMEM;
		return NULL;
	}
	return allocate(total, 16, MALLOC, CALLER);
}

/* It orders nothing, and is about each byte. */
static void arrive_at_free(void *at, uintptr_t caller)
{
	struct header *of = is_ours(at) ? header(at) : NULL;
	arrive_with(CALL_ORDERS_NOTHING, at, 0, of ? of->size : 1, caller);
}

/* Notices memory that something else has allocated, or with another size, if that is known. */
static void check_maker(void *at, enum maker maker, const size_t *size, uintptr_t caller)
{
	struct header *of = at && is_ours(at) ? header(at) : NULL;
	if (of && (of->maker != maker || (size && *size != of->size)))
		noticed(FAILURE_INVALID_FREE, caller);
}

static void give_back(void *at, enum maker maker, const size_t *size, uintptr_t caller)
{
	if (at && steered() && is_ours(at))
		arrive_at_free(at, caller);
	check_maker(at, maker, size, caller);
	release(at, caller);
}

void free(void *at)
{
	give_back(at, MALLOC, NULL, CALLER);
}

/* C++'s operators, unless the program has its own: as they are called where the program allocates and
 * frees memory itself. */
#define WEAK __attribute__((weak))
WEAK void _ZSt17__throw_bad_allocv(void);
typedef void (*new_handler)(void);
WEAK new_handler _ZSt15get_new_handlerv(void);

static void *make(size_t size, size_t alignment, enum maker maker, bool throws, uintptr_t caller)
{
	for (;;) {
		void *at = allocate(size, alignment < 16 ? 16 : alignment, maker, caller);
		if (at || !throws)
			return at;
		new_handler handler = _ZSt15get_new_handlerv();
		if (!handler)
			_ZSt17__throw_bad_allocv();
		handler();
	}
}

#define NEW_OPERATOR(letter, maker)                                                                \
	WEAK void *_Zn##letter##m(size_t size)                                                     \
	{                                                                                          \
		return make(size, 16, maker, true, CALLER);                                        \
	}                                                                                          \
	WEAK void *_Zn##letter##mSt11align_val_t(size_t size, size_t alignment)                    \
	{                                                                                          \
		return make(size, alignment, maker, true, CALLER);                                 \
	}                                                                                          \
	WEAK void *_Zn##letter##mRKSt9nothrow_t(size_t size, const void *none)                     \
	{                                                                                          \
		(void)none;                                                                        \
		return make(size, 16, maker, false, CALLER);                                       \
	}                                                                                          \
	WEAK void *_Zn##letter##mSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment,      \
							       const void *none)                   \
	{                                                                                          \
		(void)none;                                                                        \
		return make(size, alignment, maker, false, CALLER);                                \
	}
NEW_OPERATOR(w, NEW)
NEW_OPERATOR(a, NEW_ARRAY)

#define DELETE(name, maker, size, ...)                                                             \
	WEAK void name(void *at, ##__VA_ARGS__)                                                    \
	{                                                                                          \
		give_back(at, maker, size, CALLER);                                                \
	}
#define DELETE_OPERATOR(letter, maker)                                                             \
	DELETE(_Zd##letter##Pv, maker, NULL)                                                       \
	DELETE(_Zd##letter##Pvm, maker, &bytes, size_t bytes)                                      \
	DELETE(_Zd##letter##PvSt11align_val_t, maker, NULL, size_t alignment)                      \
	DELETE(_Zd##letter##PvmSt11align_val_t, maker, &bytes, size_t bytes, size_t alignment)     \
	DELETE(_Zd##letter##PvRKSt9nothrow_t, maker, NULL, const void *none)
DELETE_OPERATOR(l, NEW)
DELETE_OPERATOR(a, NEW_ARRAY)

void *realloc(void *at, size_t size)
{
	if (at && steered())
		arrive_at_free(at, CALLER);
	check_maker(at, MALLOC, NULL, CALLER);
	void *to = allocate(size, 16, MALLOC, CALLER);
	if (at && to) {
		size_t old = header(at) ? header(at)->size : 0;
		memcpy(to, at, old < size ? old : size);
		release(at, CALLER);
	}
	return to;
}

int posix_memalign(void **at, size_t alignment, size_t size)
{
	*at = allocate(size, alignment < 16 ? 16 : alignment, MALLOC, CALLER);
	return *at ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return allocate(size, alignment < 16 ? 16 : alignment, MALLOC, CALLER);
}

void *memalign(size_t alignment, size_t size)
{
	return aligned_alloc(alignment, size);
}

void *valloc(size_t size)
{
	return allocate(size, 4096, MALLOC, CALLER);
}

size_t malloc_usable_size(void *at)
{
	return at && header(at) ? header(at)->size : 0;
}

#define PAGE ((size_t)4096)

/* Memory that only this process sees, at a place that the program leaves open, is allocated too. */
void *mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t offset)
{
	int wanted = MAP_PRIVATE | MAP_ANONYMOUS, apart = MAP_FIXED | MAP_NORESERVE | MAP_GROWSDOWN;
	bool is_plain = (flags & wanted) == wanted && !(flags & apart);
	if (!steered() || at || !size || !is_plain || protection != (PROT_READ | PROT_WRITE))
		return mmap64(at, size, protection, flags, descriptor, offset);
	void *found = allocate((size + PAGE - 1) & -PAGE, PAGE, MMAP, CALLER);
	return found ? found : MAP_FAILED;
}

/* Notices that a range is not what `mmap` has given. */
static void check_mapped(void *at, size_t size, uintptr_t caller)
{
	extern char __executable_start, _end;
	if (!is_ours(at)) {
		if ((char *)at >= &__executable_start && (char *)at < &_end)
			noticed(FAILURE_INVALID_FREE, caller);
		return;
	}
	const uint8_t *state = states + ((char *)at - arena);
	struct header *of = header(at);
	if (state[0] == FREED)
		noticed(FAILURE_DOUBLE_FREE, caller);
	else if (memchr(state, NEVER, size) || (of && of->maker != MMAP))
		noticed(FAILURE_INVALID_FREE, caller);
}

int munmap(void *at, size_t size)
{
	bool is_valid = size && (uintptr_t)at % PAGE == 0;
	if (is_valid && steered())
		check_mapped(at, size, CALLER);
	if (!is_valid || !is_ours(at))
		return REAL(munmap)(at, size);
	if (steered())
		arrive_with(CALL_ORDERS_NOTHING, at, 0, size, CALLER);
	memset(states + ((char *)at - arena), FREED, (size + PAGE - 1) & -PAGE);
	if (header(at))
		note_freed(at);
	return 0;
}
