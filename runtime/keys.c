/* Thread-specific data.
 *
 * The values live in thread-local memory, so that reading them concerns no other thread. No
 * key is given out twice, for then those who hold a value under a deleted key need not be told. */
#include "pthread_impl.h"
#include "impasse_machine.h"
#include "thread_end.h"

typedef void (*destructor)(void *);

static _Atomic(destructor) destructors[PTHREAD_KEYS_MAX];
static _Atomic(unsigned) created;

static _Thread_local void *values[PTHREAD_KEYS_MAX];
static _Thread_local int used;

int pthread_key_create(pthread_key_t *key, destructor d)
{
	__impasse_atomic_begin();
	unsigned k = created++;
	if (k >= PTHREAD_KEYS_MAX)
		__impasse_unsupported("more than 128 calls of pthread_key_create");
	destructors[k] = d;
	__impasse_atomic_end();
	*key = k;
	return 0;
}

int pthread_key_delete(pthread_key_t key)
{
	if (key >= PTHREAD_KEYS_MAX)
		return EINVAL;
	destructors[key] = 0;
	return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
	return key < PTHREAD_KEYS_MAX ? values[key] : 0;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
	if (key >= PTHREAD_KEYS_MAX)
		return EINVAL;
	used = 1;
	values[key] = (void *)value;
	return 0;
}

void __impasse_run_key_destructors(void)
{
	for (int round = 0; used && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
		used = 0;
		for (unsigned k = 0; k < PTHREAD_KEYS_MAX; k++) {
			void *value = values[k];
			if (!value)
				continue;
			values[k] = 0;
			destructor d = destructors[k];
			if (d)
				d(value);
		}
	}
}

int __pthread_key_create(pthread_key_t *key, destructor d)
{
	return pthread_key_create(key, d);
}

int __pthread_key_delete(pthread_key_t key)
{
	return pthread_key_delete(key);
}
