// expect: error kind=use-after-return
// flags: --memory-model tso --races off
// sequential: error
#include <pthread.h>
#include <stdatomic.h>

static pthread_t thread;

static void *writer(void *place)
{
	atomic_store_explicit((atomic_int *)place, 2, memory_order_relaxed);
	return 0;
}

static void start(void)
{
	atomic_int local = 1;
	pthread_create(&thread, 0, writer, &local);
}

int main(void)
{
	start();
	pthread_join(thread, 0);
}
