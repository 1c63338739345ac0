// expect: verified
// broken: error kind=assertion
// flags: --memory-model c11
// clang: -Wno-atomic-alignment
// Sequentially consistent operations on atomics that no instruction covers have one order that all threads agree on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct message {
	long kind, from, to;
};

#ifdef BROKEN
static atomic_long a, b;

static void store(atomic_long *to)
{
	atomic_store_explicit(to, 1, memory_order_release);
}

static long load(atomic_long *from)
{
	return atomic_load_explicit(from, memory_order_acquire);
}
#else
static _Atomic struct message a, b;

static void store(_Atomic struct message *to)
{
	atomic_store(to, ((struct message){1, 2, 3}));
}

static long load(_Atomic struct message *from)
{
	struct message now = atomic_load(from);
	return now.kind;
}
#endif
static long seen;

static void *other(void *unused)
{
	store(&a);
	seen = load(&b);
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, other, 0);
	store(&b);
	long mine = load(&a);
	pthread_join(id, 0);
	assert(mine || seen);
}
