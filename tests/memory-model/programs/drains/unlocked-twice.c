// expect: error kind=mutex-misuse
// flags: --memory-model tso
// sequential: error
// The delayed store that unlocks a spin lock is seen by its own thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_spinlock_t lock;

static void *work(void *unused) {
	pthread_spin_lock(&lock);
	pthread_spin_unlock(&lock);
	pthread_spin_unlock(&lock);
	return unused;
}

int main(void) {
	pthread_t thread;
	pthread_spin_init(&lock, 0);
	pthread_create(&thread, 0, work, 0);
	pthread_spin_lock(&lock);
	pthread_spin_unlock(&lock);
	pthread_join(thread, 0);
}
