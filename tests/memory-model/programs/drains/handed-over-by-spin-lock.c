// expect: verified
// flags: --memory-model tso
// sequential: verified
// What is stored before a spin lock is unlocked is in memory when another thread has locked it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_spinlock_t lock;
static atomic_int x;
static int plain, turns;

static void *work(void *unused) {
	pthread_spin_lock(&lock);
	assert(atomic_load_explicit(&x, memory_order_relaxed) == turns);
	atomic_store_explicit(&x, ++turns, memory_order_relaxed);
	plain++;
	pthread_spin_unlock(&lock);
	return unused;
}

int main(void) {
	pthread_t threads[2];
	pthread_spin_init(&lock, 0);
	pthread_create(&threads[0], 0, work, 0);
	pthread_create(&threads[1], 0, work, 0);
	work(0);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	assert(plain == 3);
}
