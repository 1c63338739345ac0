// expect: error kind=assertion
// flags: --memory-model tso
// sequential: verified
// The store that unlocks a spin lock is delayed as well.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef SETUP
#define DECLARES static pthread_spinlock_t locks[2];
#define SETUP(n) pthread_spin_init(&locks[n], 0)
#define BEFORE(n) pthread_spin_lock(&locks[n])
#define CALL(n) pthread_spin_unlock(&locks[n])
#define AFTER(n) (void)0
#endif
DECLARES
static atomic_int x, y;
static int r0, r1;

static void *first(void *unused) {
	BEFORE(0);
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	CALL(0);
	r0 = atomic_load_explicit(&y, memory_order_relaxed);
	AFTER(0);
	return unused;
}

static void *second(void *unused) {
	BEFORE(1);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	CALL(1);
	r1 = atomic_load_explicit(&x, memory_order_relaxed);
	AFTER(1);
	return unused;
}

int main(void) {
	pthread_t threads[2];
	SETUP(0);
	SETUP(1);
	pthread_create(&threads[0], 0, first, 0);
	pthread_create(&threads[1], 0, second, 0);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	assert(r0 || r1);
}
