// expect: error kind=assertion
// broken: error kind=assertion
// flags: --memory-model tso
// The fence is an action of the thread while its store to the shared node is delayed. Once nothing
// but its thread reaches the node, the fence has nothing to wait for; another thread may still act
// between the store and the load that follow. The broken one has a load of the node instead.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	atomic_int value;
};

static _Atomic(struct node *) shared;
static atomic_int reached, dropped, stored, seen, other;

static void *drop(void *given)
{
	if (atomic_load(&reached)) {
		atomic_store(&dropped, 1);
		atomic_store(&shared, 0);
		atomic_load(&other);
	}
	return 0;
}

static void *own(void *given)
{
	struct node *node = atomic_load(&shared);
	atomic_store(&reached, 1);
#ifdef BROKEN
	atomic_load(&node->value);
#else
	atomic_store_explicit(&node->value, 1, memory_order_release);
	atomic_thread_fence(memory_order_seq_cst);
#endif
	atomic_store_explicit(&stored, 1, memory_order_release);
	assert(!atomic_load_explicit(&seen, memory_order_acquire));
	free(node);
	return 0;
}

static void *watch(void *given)
{
	if (atomic_load(&dropped) && atomic_load(&stored))
		atomic_store(&seen, 1);
	return 0;
}

static void make(void)
{
	struct node *node = malloc(sizeof *node);
	atomic_init(&node->value, 0);
	atomic_store(&shared, node);
}

int main(void)
{
	pthread_t id[3];
	make();
	pthread_create(&id[0], 0, drop, 0);
	pthread_create(&id[1], 0, own, 0);
	pthread_create(&id[2], 0, watch, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(id[i], 0);
}
