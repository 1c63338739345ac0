// expect: error kind=hang
// The owner leaves its loop only where its own compare-exchange fails, which it need not ever do.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int owner;

static void *own(void *unused) {
	for (;;) {
		int expected = 0;
		if (!atomic_compare_exchange_weak(&owner, &expected, 0))
			return unused;
	}
}

int main(void) {
	pthread_t thread;
	pthread_create(&thread, 0, own, 0);
	pthread_join(thread, 0);
}
