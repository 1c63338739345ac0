/* What compilers call for atomic operations on objects that no instruction covers: in C and C++,
 * any structure can be atomic. Each is one step; the accesses in it count as atomic ones (volatile,
 * in the library), in words where the object has words, so that pointers stay pointers. They acquire and release:
 * the operations are sequentially consistent. Nothing weaker is supported. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "impasse_machine.h"

static int in_words(size_t n, const volatile void *object)
{
	return n % sizeof(uintptr_t) == 0 && (uintptr_t)object % sizeof(uintptr_t) == 0;
}

static void load(size_t n, const volatile void *from, void *to)
{
	if (in_words(n, from)) {
		const volatile uintptr_t *word = from;
		for (size_t i = 0; i < n / sizeof *word; i++) {
			uintptr_t value = word[i];
			memcpy((char *)to + i * sizeof value, &value, sizeof value);
		}
		return;
	}
	const volatile unsigned char *byte = from;
	for (size_t i = 0; i < n; i++)
		((unsigned char *)to)[i] = byte[i];
}

static void store(size_t n, volatile void *to, const void *from)
{
	if (in_words(n, to)) {
		volatile uintptr_t *word = to;
		for (size_t i = 0; i < n / sizeof *word; i++) {
			uintptr_t value;
			memcpy(&value, (const char *)from + i * sizeof value, sizeof value);
			word[i] = value;
		}
		return;
	}
	volatile unsigned char *byte = to;
	for (size_t i = 0; i < n; i++)
		byte[i] = ((const unsigned char *)from)[i];
}

static void require_total_order(int order)
{
	if (order != __ATOMIC_SEQ_CST)
		__impasse_unsupported("an operation on a large atomic by a weaker order than sequential consistency");
}

/* clang has functions of these names of its own. */
void load_any(size_t, const volatile void *, void *, int) __asm__("__atomic_load");
void store_any(size_t, volatile void *, const void *, int) __asm__("__atomic_store");
void exchange_any(size_t, volatile void *, const void *, void *, int) __asm__("__atomic_exchange");
_Bool compare_exchange_any(size_t, volatile void *, void *, const void *, int, int) __asm__("__atomic_compare_exchange");
_Bool is_lock_free(size_t, const volatile void *) __asm__("__atomic_is_lock_free");

void load_any(size_t n, const volatile void *object, void *to, int order)
{
	require_total_order(order);
	__impasse_atomic_load_begin(object, n);
	load(n, object, to);
	__impasse_atomic_access_end();
}

void store_any(size_t n, volatile void *object, const void *from, int order)
{
	require_total_order(order);
	__impasse_atomic_update_begin(object, n);
	store(n, object, from);
	__impasse_atomic_access_end();
}

void exchange_any(size_t n, volatile void *object, const void *from, void *old, int order)
{
	require_total_order(order);
	char new[n];
	memcpy(new, from, n);
	__impasse_atomic_update_begin(object, n);
	load(n, object, old);
	store(n, object, new);
	__impasse_atomic_access_end();
}

_Bool compare_exchange_any(size_t n, volatile void *object, void *expected, const void *desired, int success, int failure)
{
	require_total_order(success);
	require_total_order(failure);
	char now[n];
	__impasse_atomic_update_begin(object, n);
	load(n, object, now);
	_Bool equal = !memcmp(now, expected, n);
	if (equal)
		store(n, object, desired);
	__impasse_atomic_access_end();
	if (!equal)
		memcpy(expected, now, n);
	return equal;
}

_Bool is_lock_free(size_t n, const volatile void *object)
{
	(void)object;
	return n <= 16 && !(n & (n - 1));
}
