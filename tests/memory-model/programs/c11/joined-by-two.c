// expect: error kind=thread-misuse
// flags: --memory-model c11
// Two threads join the same one. Which of them is first, the other one joins a thread that is gone.
#include <pthread.h>
#include <stdatomic.h>

static pthread_t first, second;
static atomic_int done;

static void *work(void *unused) {
	atomic_store_explicit(&done, 1, memory_order_relaxed);
	return unused;
}

static void *join(void *unused) {
	pthread_join(first, 0);
	return unused;
}

int main(void) {
	pthread_create(&first, 0, work, 0);
	pthread_t copy = first;
	pthread_create(&second, 0, join, 0);
	pthread_t other = second;
	pthread_join(other, 0);
	pthread_join(copy, 0);
}
