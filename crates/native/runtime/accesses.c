/* What ThreadSanitizer's instrumentation calls. */
#include "steered.h"

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

void __tsan_vptr_read(void **at)
{
	access(CLASS_READ, at, sizeof *at, CALLER);
}

void __tsan_vptr_update(void **at, void *value)
{
	/* An object is often given the table that it has, which others may read meanwhile. */
	access(*at == value ? CLASS_READ : CLASS_WRITE, at, sizeof *at, CALLER);
}

void *__tsan_memcpy(void *to, const void *from, size_t size)
{
	access(CLASS_READ, from, size, CALLER);
	access(CLASS_WRITE, to, size, CALLER);
	if (to != from)
		check_apart(to, size, from, size, CALLER);
	return memmove(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size)
{
	access(CLASS_READ, from, size, CALLER);
	access(CLASS_WRITE, to, size, CALLER);
	return memmove(to, from, size);
}

void *__tsan_memset(void *to, int byte, size_t size)
{
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

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

void __tsan_atomic_thread_fence(int order)
{
	arrive(CLASS_CALL | CLASS_ATOMIC | ORDER(order), NULL, 0, CALLER);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order)
{
	(void)order;
}
