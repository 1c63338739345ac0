/* Sleeping only if there is nothing yet, waking only who sleeps: each side stores before it looks at the other. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifdef FENCES
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif

static atomic_int ready, sleeping;
static sem_t wakeup;

static void *consumer(void *argument)
{
	atomic_store_explicit(&sleeping, 1, memory_order_release);
	FENCE();
	if (!atomic_load_explicit(&ready, memory_order_acquire))
		sem_wait(&wakeup);
	return argument;
}

int main(void)
{
	pthread_t thread;
	sem_init(&wakeup, 0, 0);
	pthread_create(&thread, 0, consumer, 0);
	atomic_store_explicit(&ready, 1, memory_order_release);
	FENCE();
	if (atomic_load_explicit(&sleeping, memory_order_acquire))
		sem_post(&wakeup);
	pthread_join(thread, 0);
}
