// expect: inconclusive reason="(--max-history); under sequential consistency, no error was found"
// flags: --max-history 5
// The orders are too weak for the limit; the search before was exhausted.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *count(void *unused)
{
	for (int i = 1; i <= 9; i++)
		atomic_store_explicit(&done, i, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, count, 0);
	while (atomic_load_explicit(&done, memory_order_relaxed) < 9)
		;
	pthread_join(id, 0);
}
