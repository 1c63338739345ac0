// expect: verified
// broken: error kind=hang line=23 message="can never take wake_up"
// flags: --memory-model tso
// broken-sequential: verified
// Each thread tells the other, and then looks what that has told. The stores are not delayed. With
// -DBROKEN: Each thread tells the other, and then looks what that has told. Stores that
// are delayed: neither sees the other, and the sleeper sleeps.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int sleeping, work;
static sem_t wake_up;

static void sleep_unless_work(void)
{
#ifdef BROKEN
	atomic_store_explicit(&sleeping, 1, memory_order_release);
#else
	atomic_store_explicit(&sleeping, 1, memory_order_seq_cst);
#endif
	if (!atomic_load_explicit(&work, memory_order_acquire))
		sem_wait(&wake_up);
}

static void *bring_work(void *arg)
{
#ifdef BROKEN
	atomic_store_explicit(&work, 1, memory_order_release);
#else
	atomic_store_explicit(&work, 1, memory_order_seq_cst);
#endif
	if (atomic_load_explicit(&sleeping, memory_order_acquire))
		sem_post(&wake_up);
	return 0;
}

int main(void)
{
	pthread_t t;
	sem_init(&wake_up, 0, 0);
	pthread_create(&t, 0, bring_work, 0);
	sleep_unless_work();
	pthread_join(t, 0);
	return 0;
}
