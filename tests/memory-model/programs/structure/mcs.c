// expect: verified
// flags: --memory-model tso
// sequential: verified
/* The queue lock of Mellor-Crummey and Scott: a plain store ends the wait. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
	struct node *_Atomic next;
	atomic_int waits;
};

static struct node *_Atomic tail;
static struct node nodes[3];
static int counter;

static void lock(struct node *own)
{
	atomic_store_explicit(&own->next, 0, memory_order_relaxed);
	atomic_store_explicit(&own->waits, 1, memory_order_relaxed);
	struct node *before = atomic_exchange_explicit(&tail, own, memory_order_acq_rel);
	if (!before)
		return;
	atomic_store_explicit(&before->next, own, memory_order_release);
	while (atomic_load_explicit(&own->waits, memory_order_acquire)) {
	}
}

static void unlock(struct node *own)
{
	struct node *next = atomic_load_explicit(&own->next, memory_order_acquire), *last = own;
	if (!next) {
		if (atomic_compare_exchange_strong(&tail, &last, 0))
			return;
		while (!(next = atomic_load_explicit(&own->next, memory_order_acquire))) {
		}
	}
	atomic_store_explicit(&next->waits, 0, memory_order_release);
}

static void *work(void *own)
{
	lock(own);
	counter++;
	unlock(own);
	return 0;
}

int main(void)
{
	pthread_t threads[3];
	for (int n = 0; n < 3; n++)
		pthread_create(&threads[n], 0, work, &nodes[n]);
	for (int n = 0; n < 3; n++)
		pthread_join(threads[n], 0);
	assert(counter == 3);
}
