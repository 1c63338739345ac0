// expect: error kind=data-race
// Both threads have stopped before a load of a node that becomes private meanwhile. What they write
// next must not be one step with the store that follows.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	atomic_int value;
};

static _Atomic(struct node *) first, second;
static atomic_int first_reached, second_reached, dropped, first_done, second_done, other;
static int plain;

static void *drop(void *given)
{
	while (!atomic_load(&first_reached)) {
	}
	atomic_store(&dropped, 1);
	atomic_store(&first, 0);
	while (!atomic_load(&second_reached)) {
	}
	atomic_store(&second, 0);
	atomic_load(&other);
	return given;
}

static void *own_first(void *given)
{
	struct node *node = atomic_load(&first);
	atomic_store(&first_reached, 1);
	atomic_load(&node->value);
	plain = 1;
	atomic_store(&first_done, 1);
	free(node);
	return given;
}

static void *own_second(void *given)
{
	struct node *node = atomic_load(&second);
	while (!atomic_load(&dropped)) {
	}
	atomic_store(&second_reached, 1);
	atomic_load(&node->value);
	plain = 2;
	free(node);
	atomic_store(&second_done, 1);
	return given;
}

static struct node *made(void)
{
	struct node *node = malloc(sizeof *node);
	atomic_init(&node->value, 0);
	return node;
}

int main(void)
{
	void *(*const threads[])(void *) = {drop, own_first, own_second};
	pthread_t id[3];
	atomic_store(&first, made());
	atomic_store(&second, made());
	for (int i = 0; i < 3; i++)
		pthread_create(&id[i], 0, threads[i], 0);
	for (int i = 0; i < 3; i++)
		pthread_join(id[i], 0);
}
