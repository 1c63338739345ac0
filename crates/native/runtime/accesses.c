/* What ThreadSanitizer's instrumentation calls. */
#include "steered.h"

#include <stdlib.h>
#include <string.h>

static void access(enum class class, const volatile void *address, size_t size, uintptr_t caller)
{
	if (!steered())
		return;
	arrive(class, address, size, caller);
	check_memory(address, size, caller);
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
	(void)caller;
}

void __tsan_func_exit(void)
{
}

void __tsan_ignore_thread_begin(void)
{
}

void __tsan_ignore_thread_end(void)
{
}

#define PLAIN(name, size)                                                                          \
	void __tsan_read##name(void *at)                                                           \
	{                                                                                          \
		access(CLASS_READ, at, size, CALLER);                                              \
	}                                                                                          \
	void __tsan_write##name(void *at)                                                          \
	{                                                                                          \
		access(CLASS_WRITE, at, size, CALLER);                                             \
	}                                                                                          \
	void __tsan_unaligned_read##name(void *at)                                                 \
	{                                                                                          \
		access(CLASS_READ, at, size, CALLER);                                              \
	}                                                                                          \
	void __tsan_unaligned_write##name(void *at)                                                \
	{                                                                                          \
		access(CLASS_WRITE, at, size, CALLER);                                             \
	}                                                                                          \
	void __tsan_volatile_read##name(void *at)                                                  \
	{                                                                                          \
		access(CLASS_READ, at, size, CALLER);                                              \
	}                                                                                          \
	void __tsan_volatile_write##name(void *at)                                                 \
	{                                                                                          \
		access(CLASS_WRITE, at, size, CALLER);                                             \
	}                                                                                          \
	void __tsan_unaligned_volatile_read##name(void *at)                                        \
	{                                                                                          \
		access(CLASS_READ, at, size, CALLER);                                              \
	}                                                                                          \
	void __tsan_unaligned_volatile_write##name(void *at)                                       \
	{                                                                                          \
		access(CLASS_WRITE, at, size, CALLER);                                             \
	}
PLAIN(1, 1)
PLAIN(2, 2)
PLAIN(4, 4)
PLAIN(8, 8)
PLAIN(16, 16)

/* Before inline assembly: its first operand in memory. */
void __impasse_assembly(void *at, int class, size_t size)
{
	access(class, at, size, CALLER);
}

void __tsan_vptr_read(void **at)
{
	access(CLASS_READ, at, sizeof *at, CALLER);
}

void __tsan_vptr_update(void **at, void *value)
{
	/* An object is often given the table that it has, which others may read meanwhile. */
	access(*at == value ? CLASS_READ : CLASS_WRITE, at, sizeof *at, CALLER);
}

/* Whether memory is copied and filled a word at a time, and from its end. */
static bool in_pieces, descending;

__attribute__((constructor(101))) static void begin(void)
{
	const char *copies = getenv("IMPASSE_COPIES");
	in_pieces = copies != NULL;
	descending = in_pieces && *copies == 'd';
}

/* The bytes of the next piece, of so many that are left. */
static size_t piece_of(size_t left)
{
	size_t bytes = sizeof(void *);
	while (descending ? left % bytes != 0 : left < bytes)
		bytes /= 2;
	return bytes;
}

/* Copies, or fills with a byte if `from` is null. */
static void *work_in_pieces(char *to, const char *from, int byte, size_t size, uintptr_t caller)
{
	for (size_t done = 0; done < size;) {
		size_t count = piece_of(size - done);
		size_t at = descending ? size - done - count : done;
		char word[sizeof(void *)];
		memset(word, byte, count);
		if (from) {
			access(CLASS_READ, from + at, count, caller);
			memcpy(word, from + at, count);
		}
		access(CLASS_WRITE, to + at, count, caller);
		memcpy(to + at, word, count);
		done += count;
	}
	return to;
}

static bool are_apart(const char *to, const char *from, size_t size)
{
	return to + size <= from || from + size <= to;
}

void *__tsan_memcpy(void *to, const void *from, size_t size)
{
	if (in_pieces && steered() && are_apart(to, from, size))
		return work_in_pieces(to, from, 0, size, CALLER);
	access(CLASS_READ, from, size, CALLER);
	access(CLASS_WRITE, to, size, CALLER);
	if (to != from)
		check_apart(to, size, from, size, CALLER);
	return memmove(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size)
{
	if (in_pieces && steered() && are_apart(to, from, size))
		return work_in_pieces(to, from, 0, size, CALLER);
	access(CLASS_READ, from, size, CALLER);
	access(CLASS_WRITE, to, size, CALLER);
	return memmove(to, from, size);
}

void *__tsan_memset(void *to, int byte, size_t size)
{
	if (in_pieces && steered())
		return work_in_pieces(to, NULL, byte, size, CALLER);
	access(CLASS_WRITE, to, size, CALLER);
	return memset(to, byte, size);
}

#define ATOMIC(bits, type)                                                                         \
	type __tsan_atomic##bits##_load(const volatile type *at, int order)                        \
	{                                                                                          \
		access(CLASS_READ | CLASS_ATOMIC | ORDER(order), at, sizeof *at, CALLER);              \
		return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                      \
	}                                                                                          \
	void __tsan_atomic##bits##_store(volatile type *at, type value, int order)                 \
	{                                                                                          \
		access(CLASS_WRITE | CLASS_ATOMIC | ORDER(order), at, sizeof *at, CALLER);             \
		__atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                     \
	}                                                                                          \
	UPDATE(bits, type, exchange, exchange_n)                                                   \
	UPDATE(bits, type, fetch_add, fetch_add)                                                   \
	UPDATE(bits, type, fetch_sub, fetch_sub)                                                   \
	UPDATE(bits, type, fetch_and, fetch_and)                                                   \
	UPDATE(bits, type, fetch_or, fetch_or)                                                     \
	UPDATE(bits, type, fetch_xor, fetch_xor)                                                   \
	UPDATE(bits, type, fetch_nand, fetch_nand)                                                 \
	COMPARE(bits, type, strong)                                                                \
	COMPARE(bits, type, weak)                                                                  \
	type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected,          \
							type wanted, int order, int other)         \
	{                                                                                          \
		(void)other;                                                                       \
		access(CLASS_UPDATE | CLASS_ATOMIC | ORDER(order), at, sizeof *at, CALLER);            \
		__atomic_compare_exchange_n(at, &expected, wanted, 0, __ATOMIC_SEQ_CST,            \
					    __ATOMIC_SEQ_CST);                                     \
		return expected;                                                                   \
	}

#define UPDATE(bits, type, name, operation)                                                        \
	type __tsan_atomic##bits##_##name(volatile type *at, type value, int order)                \
	{                                                                                          \
		access(CLASS_UPDATE | CLASS_ATOMIC | ORDER(order), at, sizeof *at, CALLER);            \
		return __atomic_##operation(at, value, __ATOMIC_SEQ_CST);                          \
	}

/* A weak one does not fail spuriously: no path asks for that. */
#define COMPARE(bits, type, strength)                                                              \
	int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *at, type *expected,   \
							      type wanted, int order, int other)   \
	{                                                                                          \
		(void)other;                                                                       \
		access(CLASS_UPDATE | CLASS_ATOMIC | ORDER(order), at, sizeof *at, CALLER);            \
		return __atomic_compare_exchange_n(at, expected, wanted, 0, __ATOMIC_SEQ_CST,      \
						   __ATOMIC_SEQ_CST);                              \
	}

#pragma clang diagnostic ignored "-Watomic-alignment"
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
ATOMIC(128, unsigned __int128)

/* Atomic accesses of other sizes are calls of libatomic, which nothing instruments. */
void load_large(size_t, const void *, void *, int) __asm__("__atomic_load");
void store_large(size_t, void *, const void *, int) __asm__("__atomic_store");
void exchange_large(size_t, void *, const void *, void *, int) __asm__("__atomic_exchange");
bool compare_exchange_large(size_t, void *, void *, const void *, int, int)
	__asm__("__atomic_compare_exchange");

void load_large(size_t size, const void *at, void *to, int order)
{
	access(CLASS_READ | CLASS_ATOMIC | ORDER(order), at, size, CALLER);
	memcpy(to, at, size);
}

void store_large(size_t size, void *at, const void *value, int order)
{
	access(CLASS_WRITE | CLASS_ATOMIC | ORDER(order), at, size, CALLER);
	memcpy(at, value, size);
}

void exchange_large(size_t size, void *at, const void *value, void *to, int order)
{
	access(CLASS_UPDATE | CLASS_ATOMIC | ORDER(order), at, size, CALLER);
	memcpy(to, at, size);
	memcpy(at, value, size);
}

bool compare_exchange_large(size_t size, void *at, void *expected, const void *wanted, int order,
			    int other)
{
	(void)other;
	access(CLASS_UPDATE | CLASS_ATOMIC | ORDER(order), at, size, CALLER);
	bool equal = memcmp(at, expected, size) == 0;
	memcpy(equal ? at : expected, equal ? wanted : at, size);
	return equal;
}

void __tsan_atomic_thread_fence(int order)
{
	arrive(CLASS_CALL | CLASS_ATOMIC | ORDER(order), NULL, 0, CALLER);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order)
{
	(void)order;
}
